import { Icon, List } from "@raycast/api";
import { HelpActions } from "./empty-views";
import { fenced } from "./plain-text";
import { reasonLine } from "./reason-line";
import { colorOf } from "./state-icon";

/** A row above those that are not up to date: why they are not. */
export function FailureItem({
  reason,
  isShowingDetail,
  onRefresh,
}: {
  reason: string;
  isShowingDetail: boolean;
  onRefresh: () => Promise<void>;
}) {
  return (
    <List.Item
      icon={{
        value: { source: Icon.ExclamationMark, tintColor: colorOf("doubt") },
        tooltip: "What is shown was known last",
      }}
      title="Sessions Cannot Be Read"
      subtitle={isShowingDetail ? undefined : reasonLine(reason)}
      keywords={["problem"]}
      detail={isShowingDetail ? <List.Item.Detail markdown={fenced(reason)} /> : undefined}
      actions={<HelpActions onRefresh={onRefresh} />}
    />
  );
}
