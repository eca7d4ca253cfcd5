import type { Row } from "./row.ts";

/** H10 to H18: the gate and its configuration. */
export const configuration: readonly Row[] = [
  {
    id: "H10",
    en: {
      situation:
        "While a call waits, its condition changes or the agent is deployed without the rule. Then a person rejects.",
      stock: "The rejected tool runs.",
      ours: "It was held, so the decision counts: it does not run.",
    },
    zh: {
      situation: "调用等审批的时候，条件变了，或者智能体换成了没有这条规则的版本。之后有人拒绝。",
      stock: "被拒绝的工具执行了。",
      ours: "既然已经拦下，就以决定为准：不会执行。",
    },
  },
  {
    id: "H11",
    en: {
      situation: "Two calls wait, and the condition of one of them changes.",
      stock: "The answer has a decision too many now, and fails.",
      ours: "What was held stays held, and both decisions apply.",
    },
    zh: {
      situation: "两个调用在等，其中一个的条件变了。",
      stock: "答复里的决定多出一个，报错。",
      ours: "拦下的仍然拦着，两个决定都生效。",
    },
  },
  {
    id: "H12",
    en: {
      situation: "`when` and `description` over a pause and its resume.",
      stock: "Both run again on every resume.",
      ours: "Each runs once for each call; what it said is kept with the review.",
    },
    zh: {
      situation: "从暂停到恢复，`when` 和 `description` 各执行几次。",
      stock: "每次恢复都会再执行一遍。",
      ours: "每个调用只执行一次，结果与审批存在一起。",
    },
  },
  {
    id: "H13",
    en: {
      situation: "Whoever invokes the agent passes `context: { interruptOn: {} }`.",
      stock: "The gate is off for that run.",
      ours: "A caller can have more held, never less, unless you set `contextMayLoosen: true`.",
    },
    zh: {
      situation: "调用智能体的一方传入 `context: { interruptOn: {} }`。",
      stock: "这次运行的关卡就此关闭。",
      ours: "调用方只能拦得更多，不能更少，除非你设置 `contextMayLoosen: true`。",
    },
  },
  {
    id: "H14",
    en: {
      situation: "A tool that no rule names is called `toString` or `constructor`.",
      stock: "Held, and no decision is allowed.",
      ours: "Runs, like every tool that no rule names.",
    },
    zh: {
      situation: "有个工具叫 `toString` 或 `constructor`，没有规则提到它。",
      stock: "会被拦下，而且不允许做任何决定。",
      ours: "直接执行，与其他没有规则提到的工具一样。",
    },
  },
  {
    id: "H15",
    en: {
      situation: "An option with a typo, or a decision that does not exist.",
      stock:
        "A misspelt option is ignored, and nothing is held. A wrong value fails at the first model turn.",
      ours: "Building the middleware fails and names the key. `respond` is a decision.",
    },
    zh: {
      situation: "选项名写错，或者写了不存在的决定。",
      stock: "写错的选项会被忽略，结果什么都不拦。写错的值要到模型第一次回答之后才报错。",
      ours: "创建中间件时就报错，并指出是哪个键。`respond`（回复）是合法的决定。",
    },
  },
  {
    id: "H16",
    en: {
      situation: "`allowedDecisions: []`.",
      stock: "Pauses, and accepts no answer.",
      ours: "Building the middleware fails and names the key.",
    },
    zh: {
      situation: "`allowedDecisions: []`。",
      stock: "暂停，但什么答复都不接受。",
      ours: "创建中间件时就报错，并指出是哪个键。",
    },
  },
  {
    id: "H17",
    en: {
      situation: "`when` or `description` throws, or returns something else than it should.",
      stock: "The run dies with an error that does not name the tool.",
      ours: "The call is held for a person, and the review says that the condition of this tool did not answer yes or no. A description that fails gives way to the usual one.",
    },
    zh: {
      situation: "`when` 或 `description` 抛错，或者返回的类型不对。",
      stock: "整个运行中断，报的错也看不出是哪个工具。",
      ours: "调用被拦下交给人决定，审批里写明是哪个工具的条件没有给出是或否。描述出错时，改用默认的描述。",
    },
  },
  {
    id: "H18",
    en: {
      situation: "A condition depends on the user, on the tool, or on the agent that asks.",
      stock: "`when` sees none of them.",
      ours: "`when` gets the agent's whole `context`, the `tool`, and the `agent` with its name and path.",
    },
    zh: {
      situation: "条件要看用户是谁、是什么工具、是哪个智能体在请求。",
      stock: "`when` 都看不到。",
      ours: "`when` 能拿到智能体完整的 `context`、`tool`，以及带有名称和路径的 `agent`。",
    },
  },
];
