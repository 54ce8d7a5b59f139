import type { Detail } from "@raycast/api";
import type { Fact } from "./session-facts";

/** The components of a pane's or a page's metadata: a launcher may have one kind for each. */
type Parts = Pick<typeof Detail.Metadata, "Label" | "Separator" | "TagList">;

/** Facts as the metadata of a pane or a page. */
export function FactLines({ facts, parts }: { facts: readonly Fact[]; parts: Parts }) {
  return facts.map((fact, index) => <FactLine key={index} fact={fact} parts={parts} />);
}

function FactLine({ fact, parts: { Label, Separator, TagList } }: { fact: Fact; parts: Parts }) {
  switch (fact.kind) {
    case "text":
      return <Label title={fact.title} text={fact.text} />;
    case "tags":
      return (
        <TagList title={fact.title}>
          {fact.tags.map((tag) => (
            <TagList.Item key={tag.text} {...tag} />
          ))}
        </TagList>
      );
    case "line":
      return <Separator />;
    default:
      return fact satisfies never;
  }
}
