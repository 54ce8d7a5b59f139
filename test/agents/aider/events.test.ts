import { statesOf, told } from "../told";

describe("aider's notifications command", () => {
  test("tells of an answer in the folder it runs in", () => {
    const one = told("aider", { payload: undefined, env: { PWD: "/p" }, parent: 12 });
    expect(one).toEqual({
      session: expect.stringMatching(/^aider-[0-9a-f]{16}$/),
      name: "notification",
      cwd: "/p",
      kind: "answer-finished",
    });
    expect(told("aider", { payload: "", env: { PWD: "/p" }, parent: 13 }).session).toBe(one.session);
    expect(told("aider", { payload: "", env: { PWD: "/q" }, parent: 12 }).session).not.toBe(one.session);
  });

  test("without a folder, by the process that started it; without either it is nobody's", () => {
    expect(told("aider", { parent: 12 })).toMatchObject({ session: "aider-pid-12" });
    expect(told("aider", { parent: 1 })).toMatchObject({ outcome: "refused" });
    expect(told("aider", {})).toMatchObject({ outcome: "refused" });
  });

  test("is done, and nothing else ever", () => {
    const call = { env: { PWD: "/p" } };
    expect(statesOf("aider", [call, call])).toEqual(["done", "done"]);
  });
});
