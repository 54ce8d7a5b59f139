import { Clipboard, type Toast } from "@raycast/api";
import { openOffered, type GoingOffer } from "../cli/invoke-focus";
import { printable } from "../session/text";
import { carryOut } from "./carry-out";
import { leaveWith } from "./leaving";
import { settingsToAct } from "./settings";

/** An offer as an action is called. */
export function offerTitle({ kind, title }: GoingOffer): string {
  switch (kind) {
    case "open-app":
      return printable(title);
    case "attach":
      return "Copy Attach Command";
    case "resume":
      return "Copy Resume Command";
    default:
      return kind satisfies never;
  }
}

/** Takes an offer: opens the terminal, or copies the command line. */
export async function takeOffer(offer: GoingOffer): Promise<void> {
  const { kind, title, text = "" } = offer;
  switch (kind) {
    case "open-app": {
      const app = printable(title.replace(/^Open /, ""));
      const open = async () => {
        await openOffered(offer, settingsToAct().invoker);
        return `Opened ${app}`;
      };
      if (await carryOut(`Opening ${app}…`, open, `Could Not Open ${app}`)) await leaveWith(`Opened ${app}`);
      return;
    }
    case "attach":
      return copyCommand(text, "Copied Attach Command");
    case "resume":
      return copyCommand(text, "Copied Resume Command");
    default:
      return kind satisfies never;
  }
}

/** Offers of a toast: it has room for two. */
export function toastActions(offers: readonly GoingOffer[]): Pick<Toast.Options, "primaryAction" | "secondaryAction"> {
  const [primary, secondary] = offers.map((offer) => ({
    title: offerTitle(offer),
    onAction: () => takeOffer(offer),
  }));
  return {
    ...(primary === undefined ? {} : { primaryAction: primary }),
    ...(secondary === undefined ? {} : { secondaryAction: secondary }),
  };
}

async function copyCommand(text: string, done: string): Promise<void> {
  await Clipboard.copy(printable(text));
  await leaveWith(done);
}
