import { Action, ActionPanel, Icon } from "@raycast/api";
import type { GoingOffer } from "../cli/invoke-focus";
import { printable } from "../session/text";
import { offerTitle, takeOffer } from "./offers";
import { SHORTCUTS } from "./shortcuts";

/** What is certain where a session could not be brought forward, each once: some launchers tell actions by their titles. */
export function OfferActions({ offers }: { offers: readonly GoingOffer[] }) {
  if (offers.length === 0) return null;
  const byTitle = new Map(offers.map((offer) => [offerTitle(offer), offer]));
  return (
    <ActionPanel.Section title="What Is Certain">
      {Array.from(byTitle, ([title, offer]) =>
        offer.kind === "open-app" ? (
          <Action key={title} title={title} icon={Icon.AppWindow} onAction={() => takeOffer(offer)} />
        ) : (
          <Action.CopyToClipboard
            key={title}
            title={title}
            icon={Icon.Terminal}
            content={printable(offer.text ?? "")}
            {...(offer.kind === "resume" ? { shortcut: SHORTCUTS.copyResumeCommand } : {})}
          />
        ),
      )}
    </ActionPanel.Section>
  );
}
