import {
  Action,
  ActionPanel,
  Alert,
  confirmAlert,
  Detail,
  Icon,
  Keyboard,
  openExtensionPreferences,
  useNavigation,
} from "@raycast/api";
import { usePromise } from "@raycast/utils";
import { useState } from "react";
import type { SetUpPlan } from "../../observe/set-up";
import { reasonOf } from "../../session/failure";
import { printable } from "../../session/text";
import { carryOut } from "../carry-out";
import { isOfPreferences, OPEN_PREFERENCES_TITLE } from "../open-preferences";
import { fenced } from "../plain-text";
import { RefreshAction } from "../session-actions";
import { applyChange, changesAnything, planChange, type Change, type Done } from "./change-plan";
import { copyText, planMarkdown, resultMarkdown } from "./change-text";
import { CHANGE_WORDS, type ChangeWords } from "./change-words";

interface ChangeProperties {
  change: Change;
  /** The agent's name for people. */
  title: string;
  /** Called when files may have changed. */
  onDone: () => Promise<void>;
}

/** Shows exactly what a change would do, does it when asked, then shows what was done. */
export function ChangeView({ change, title, onDone }: ChangeProperties) {
  const [done, setDone] = useState<Done>();
  const { removes } = change;
  const words = CHANGE_WORDS[change.part][removes ? "remove" : "apply"](title);
  // Not kept from one opening to the next, unlike all else: it holds the whole of somebody's settings.
  const { data, error, isLoading, revalidate } = usePromise(async (wanted: Change) => planChange(wanted), [change], {
    failureToastOptions: { title: words.lookFailed },
  });
  const lookAgain = async () => {
    await revalidate();
  };

  const apply = async (shown: SetUpPlan) => {
    if (words.question !== undefined && !(await isConfirmed(words, words.question, removes))) return;
    let result: Done | undefined;
    const work = async () => {
      result = applyChange(change, shown);
      return doneText(result, words);
    };
    const isDone = await carryOut(words.doing, work, words.failed);
    if (isDone && result !== undefined) setDone(result);
    else await lookAgain();
    await onDone();
  };

  if (done !== undefined) return <DoneView done={done} removes={removes} />;
  const isPlanned = data !== undefined && error === undefined;
  return (
    <Detail
      isLoading={isLoading}
      markdown={error === undefined ? data && planMarkdown(data) : fenced(reasonOf(error))}
      actions={
        <ActionPanel>
          {isPlanned && changesAnything(data) && (
            <Action
              title={words.action}
              icon={removes ? Icon.Trash : Icon.Check}
              {...(removes ? { style: Action.Style.Destructive } : {})}
              onAction={() => apply(data)}
            />
          )}
          {isPlanned && copyText(data) !== "" && (
            <Action.CopyToClipboard
              title="Copy"
              icon={Icon.Clipboard}
              content={copyText(data)}
              // The lines around a change may hold a key.
              concealed
              shortcut={Keyboard.Shortcut.Common.Copy}
            />
          )}
          {isOfPreferences(error) && (
            <Action title={OPEN_PREFERENCES_TITLE} icon={Icon.Gear} onAction={openExtensionPreferences} />
          )}
          <RefreshAction onRefresh={lookAgain} />
        </ActionPanel>
      }
    />
  );
}

/** What was done, and what is left to do. */
function DoneView({ done, removes }: { done: Done; removes: boolean }) {
  const { pop } = useNavigation();
  const backup = done.files.find((each) => each.backup !== undefined)?.backup;
  return (
    <Detail
      markdown={resultMarkdown(done, removes)}
      actions={
        <ActionPanel>
          <Action title="Back to Agents" icon={Icon.ArrowLeft} onAction={() => pop()} />
          {backup !== undefined && <Action.ShowInFinder title="Show Backup" icon={Icon.Finder} path={backup} />}
        </ActionPanel>
      }
    />
  );
}

function isConfirmed(
  { action }: ChangeWords,
  { title, message }: NonNullable<ChangeWords["question"]>,
  removes: boolean,
): Promise<boolean> {
  return confirmAlert({
    title,
    message,
    icon: removes ? Icon.Trash : Icon.Plug,
    primaryAction: { title: action, style: removes ? Alert.ActionStyle.Destructive : Alert.ActionStyle.Default },
  });
}

function doneText({ files }: Done, words: ChangeWords): string {
  const backups = files.flatMap(({ backup }) => (backup === undefined ? [] : [printable(backup)]));
  return backups.length === 0 ? words.done : `${words.done}, Backup: ${backups.join(", ")}`;
}
