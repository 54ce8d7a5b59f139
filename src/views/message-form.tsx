import { Action, ActionPanel, Form, Icon, useNavigation } from "@raycast/api";
import { useState } from "react";
import { cleanMessage } from "../control/message-text";
import { cacheOf } from "../session/cache";
import { cacheText } from "../session/cache-text";
import { reasonOf } from "../session/failure";
import type { Session } from "../session/session";
import { askAndFollow, type Following } from "./asking";
import { contextAmount, shortTitle } from "./waking";

interface Values {
  /** Null in some launchers while nothing was typed. */
  text?: string | null;
}

/** A message to a session, as if the user had written it there; the form stays until it is sent. */
export function MessageForm({ session, onRefresh }: { session: Session } & Following) {
  const { pop } = useNavigation();
  const [error, setError] = useState<string>();
  const submit = async ({ text }: Values) => {
    const refusal = refusalOf(text ?? "");
    setError(refusal);
    if (refusal !== undefined) return;
    const told = await askAndFollow({ kind: "prompt", id: session.id, text: text ?? "" }, { onRefresh });
    if (told.outcome !== "failed") pop();
  };
  return (
    <Form
      actions={
        <ActionPanel>
          <Action.SubmitForm title="Send Message" icon={Icon.Message} onSubmit={submit} />
        </ActionPanel>
      }
    >
      <Form.Description title="To" text={shortTitle(session)} />
      <Form.TextArea
        id="text"
        title="Message"
        placeholder="What it is to do next"
        error={error}
        onChange={() => setError(undefined)}
        autoFocus
      />
      <WakingNote session={session} />
    </Form>
  );
}

/** What waking a cold session costs, before anything is sent. */
function WakingNote({ session }: { session: Session }) {
  const now = Date.now() / 1000;
  const cache = cacheOf(session, now);
  if (cache.temperature !== "cold") return null;
  const text = `It has been ${cacheText(cache, now)}: a message sends ${contextAmount(session)} anew.`;
  return <Form.Description title="Cost" text={text} />;
}

/** Why a text is no message; undefined when it is one. */
function refusalOf(text: string): string | undefined {
  try {
    cleanMessage(text);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}
