import { showToast, Toast } from "@raycast/api";
import { showFailureToast } from "@raycast/utils";
import { reasonOf } from "../session/failure";

/**
 * Carries out an action with a toast that says how it goes.
 *
 * @param doing the title meanwhile, `Marking as Read…`
 * @param work gives the title once it is done
 * @param failed the title when it fails; the reason stands below
 */
export async function carryOut(doing: string, work: () => Promise<string>, failed: string): Promise<void> {
  const toast = await showToast({ style: Toast.Style.Animated, title: doing });
  try {
    toast.title = await work();
    toast.style = Toast.Style.Success;
  } catch (error) {
    await toast.hide();
    await showFailureToast(reasonOf(error), { title: failed });
  }
}
