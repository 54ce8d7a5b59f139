import { showToast, Toast } from "@raycast/api";
import { showFailureToast } from "@raycast/utils";
import { reasonOf } from "../session/failure";
import { printable } from "../session/text";
import { preferencesAction } from "./open-preferences";

/**
 * Carries out an action with a toast that says how it goes.
 *
 * @param doing the title meanwhile, `Marking as Read…`
 * @param work gives the title once it is done
 * @param failed the title when it fails; the reason stands below, with the way to the preferences where they are wrong
 * @returns whether it was done
 */
export async function carryOut(doing: string, work: () => Promise<string>, failed: string): Promise<boolean> {
  const toast = await showToast({ style: Toast.Style.Animated, title: doing });
  try {
    toast.title = await work();
    toast.style = Toast.Style.Success;
    return true;
  } catch (error) {
    await toast.hide();
    await showFailureToast(error, { title: failed, message: printable(reasonOf(error)), ...preferencesAction(error) });
    return false;
  }
}
