import type { Row } from "./row.ts";

/** H33 to H39: deepagents, and operation. */
export const operation: readonly Row[] = [
  {
    id: "H33",
    en: {
      situation: "deepagents: `interruptOn` at the top, and a subagent given as a `runnable`.",
      stock: "The subagent's tools run without review.",
      ours: "`holdDeepAgent()` refuses it by name, unless its runnable has a gate of Holdpoint's or `ownGate` says in words how its tools ask.",
    },
    zh: {
      situation: "deepagents：顶层设置了 `interruptOn`，子智能体以 `runnable` 给出。",
      stock: "子智能体的工具不经审批就执行。",
      ours: "`holdDeepAgent()` 会指名拒绝它，除非它自己装有 Holdpoint 的关卡，或者用 `ownGate` 写明它的工具怎样征求人的同意。",
    },
  },
  {
    id: "H34",
    en: {
      situation: 'deepagents: a file permission with `mode: "interrupt"`.',
      stock: "Treated like `allow`: the file is written.",
      ours: "`holdDeepAgent()` holds the call for a person, by a rule that names the permission. A mode that does not exist is refused.",
    },
    zh: {
      situation: 'deepagents：文件权限设为 `mode: "interrupt"`。',
      stock: "当作 `allow`：文件直接写入。",
      ours: "`holdDeepAgent()` 会拦下这个调用，交给人决定，规则名会指出是哪条权限。写了不存在的 `mode` 会被拒绝。",
    },
  },
  {
    id: "H35",
    en: {
      situation:
        "deepagents: `interruptOn` at the top, and a subagent with this middleware of its own.",
      stock: 'Fails with "defined multiple times".',
      ours: "`holdDeepAgent()` gives every subagent one gate; nothing clashes.",
    },
    zh: {
      situation: "deepagents：顶层设置了 `interruptOn`，子智能体自己又带着这个中间件。",
      stock: "报错“defined multiple times”。",
      ours: "`holdDeepAgent()` 给每个子智能体恰好一道关卡，不会冲突。",
    },
  },
  {
    id: "H36",
    en: {
      situation: "deepagents: a call waits inside a subagent.",
      stock: "The request does not say which agent asks, or for which call of its parent.",
      ours: "The request names the agent and its path, the parent's call, the thread, the call and the action.",
    },
    zh: {
      situation: "deepagents：子智能体里有调用在等。",
      stock: "请求里看不出是哪个智能体在问，也看不出是为了上级的哪个调用。",
      ours: "请求里有智能体及其路径、上级的调用、线程、调用和操作的 id。",
    },
  },
  {
    id: "H37",
    en: {
      situation: "There is no checkpointer, or no `thread_id`.",
      stock:
        "The run fails when the first call is held, with an error of the checkpointer that does not name the gate.",
      ours: "`config_invalid` says what is missing, before any tool of the turn runs.",
    },
    zh: {
      situation: "没有检查点存储，或者没有 `thread_id`。",
      stock: "要拦第一个调用时运行才失败，报的是检查点存储的错，看不出与关卡有关。",
      ours: "这一轮的工具一个都还没有执行，就以 `config_invalid` 说明缺什么。",
    },
  },
  {
    id: "H38",
    en: {
      situation: "Which calls wait, over all threads?",
      stock:
        "Nothing lists them. One reads every checkpoint of every thread, and pauses of long ago still look open. Each approval leaves 3.4 checkpoints.",
      ours: 'With an engine, `engine.reviews.list({ status: "open" })` reads an index; its cost does not grow with the history.',
    },
    zh: {
      situation: "所有线程里，有哪些调用在等？",
      stock:
        "没有地方可以列出来，只能把每条线程的每个检查点都读一遍，而且早就结束的暂停看起来还开着。每次批准留下 3.4 个检查点。",
      ours: '有引擎时，`engine.reviews.list({ status: "open" })` 走索引查询，历史再长也不会变慢。',
    },
  },
  {
    id: "H39",
    en: {
      situation:
        "A date, a class instance, `undefined`, `NaN` or a BigInt in the arguments, or in an edit.",
      stock:
        "It changes on its way through the pause: the reviewer sees a date and the tool gets `{}`; `NaN` becomes `null`; a BigInt ends the run.",
      ours: "Only what JSON carries unchanged can be approved: a held call with anything else goes back to the model, such an edit is refused, and both say which field. What was seen is what runs. Holdpoint's checkpointer stores a date, `NaN` or a BigInt as such, and refuses a class instance with the name of the channel.",
    },
    zh: {
      situation: "参数里，或者修改里，有日期、类的实例、`undefined`、`NaN` 或 BigInt。",
      stock:
        "经过一次暂停就变了样：审批人看到的是日期，工具拿到的是 `{}`；`NaN` 变成 `null`；遇到 BigInt，运行直接中断。",
      ours: "只有 JSON 能原样保存的内容才可以批准：要拦的调用里有别的内容，就退回给模型；修改里有，就拒绝。两者都会指出是哪个字段。看到的是什么，执行的就是什么。Holdpoint 的检查点存储会原样保存日期、`NaN` 和 BigInt；遇到类的实例则拒绝保存，并指出是哪个通道。",
    },
  },
];
