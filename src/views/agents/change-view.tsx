import { Action, ActionPanel, Alert, confirmAlert, Detail, Icon, Keyboard, useNavigation } from "@raycast/api";
import { usePromise } from "@raycast/utils";
import { useState } from "react";
import type { AppliedFile, SetUpPlan } from "../../observe/set-up";
import { reasonOf } from "../../session/failure";
import { printable } from "../../session/text";
import { carryOut } from "../carry-out";
import { fenced } from "../plain-text";
import { RefreshAction } from "../session-actions";
import { applyChange, changesAnything, planChange } from "./change-plan";
import { diffText, planMarkdown, resultMarkdown } from "./change-text";

type Written = readonly (AppliedFile & { outcome: "written" })[];

interface ChangeProperties {
  agent: string;
  /** The agent's name for people. */
  title: string;
  removes: boolean;
  /** Called when files may have changed. */
  onDone: () => Promise<void>;
}

/** Shows exactly what a set-up or its removal would change, does it when asked, then shows what was done. */
export function ChangeView({ agent, title, removes, onDone }: ChangeProperties) {
  const [written, setWritten] = useState<Written>();
  // Not kept from one opening to the next, unlike all else: it holds the whole of somebody's settings.
  const { data, error, isLoading, revalidate } = usePromise(
    async (name: string, isRemoval: boolean) => planChange({ agent: name, removes: isRemoval }),
    [agent, removes],
    { failureToastOptions: { title: "Could Not Look at the Settings" } },
  );
  const lookAgain = async () => {
    await revalidate();
  };

  const apply = async (shown: SetUpPlan) => {
    if (removes && !(await isConfirmed(title))) return;
    let done: Written = [];
    const work = async () => {
      done = applyChange({ agent, removes }, shown);
      return doneText(done, title, removes);
    };
    const isDone = removes
      ? await carryOut(`Removing from ${title}…`, work, `Could Not Remove from ${title}`)
      : await carryOut(`Setting Up ${title}…`, work, `Could Not Set Up ${title}`);
    if (isDone) setWritten(done);
    else await lookAgain();
    await onDone();
  };

  if (written !== undefined) return <DoneView written={written} removes={removes} />;
  const isPlanned = data !== undefined && error === undefined;
  return (
    <Detail
      isLoading={isLoading}
      markdown={error === undefined ? data && planMarkdown(data) : fenced(reasonOf(error))}
      actions={
        <ActionPanel>
          {isPlanned && changesAnything(data) && (
            <Action
              title={removes ? "Remove" : "Apply"}
              icon={removes ? Icon.Trash : Icon.Check}
              {...(removes ? { style: Action.Style.Destructive } : {})}
              onAction={() => apply(data)}
            />
          )}
          {isPlanned && diffText(data) !== "" && (
            <Action.CopyToClipboard
              title="Copy"
              icon={Icon.Clipboard}
              content={diffText(data)}
              // The lines around a change may hold a key.
              concealed
              shortcut={Keyboard.Shortcut.Common.Copy}
            />
          )}
          <RefreshAction onRefresh={lookAgain} />
        </ActionPanel>
      }
    />
  );
}

/** What was done, and what is left to do. */
function DoneView({ written, removes }: { written: Written; removes: boolean }) {
  const { pop } = useNavigation();
  const backup = written.find((each) => each.backup !== undefined)?.backup;
  return (
    <Detail
      markdown={resultMarkdown(written, removes)}
      actions={
        <ActionPanel>
          <Action title="Back to Agents" icon={Icon.ArrowLeft} onAction={() => pop()} />
          {backup !== undefined && <Action.ShowInFinder title="Show Backup" icon={Icon.Finder} path={backup} />}
        </ActionPanel>
      }
    />
  );
}

function isConfirmed(title: string): Promise<boolean> {
  return confirmAlert({
    title: `Remove from ${title}?`,
    message: "It will not report its sessions any more. Everything else in its settings stays.",
    icon: Icon.Trash,
    primaryAction: { title: "Remove", style: Alert.ActionStyle.Destructive },
  });
}

function doneText(written: Written, title: string, removes: boolean): string {
  const backups = written.flatMap(({ backup }) => (backup === undefined ? [] : [printable(backup)]));
  const done = removes ? `Removed from ${title}` : `Set Up ${title}`;
  return backups.length === 0 ? done : `${done}, Backup: ${backups.join(", ")}`;
}
