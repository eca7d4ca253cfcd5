import type { Row } from "./row.ts";

/** H28 to H32: together with other middlewares. */
export const otherMiddleware: readonly Row[] = [
  {
    id: "H28",
    en: {
      situation: "Another middleware jumps straight to the tools.",
      stock: "The call runs without review.",
      ours: "The call is checked once more in front of its tool, and does not run without a decision.",
    },
    zh: {
      situation: "另一个中间件直接跳到工具。",
      stock: "调用不经审批就执行。",
      ours: "到了工具跟前还会再查一次，没有决定就不执行。",
    },
  },
  {
    id: "H29",
    en: {
      situation: "Another middleware adds a call after the review.",
      stock: "It runs unseen.",
      ours: "It is checked in front of its tool like any other.",
    },
    zh: {
      situation: "审批之后，另一个中间件又加进一个调用。",
      stock: "没有人看过就执行了。",
      ours: "与其他调用一样，到了工具跟前要查。",
    },
  },
  {
    id: "H30",
    en: {
      situation: "Another middleware changes the arguments after the approval.",
      stock: "The changed arguments run.",
      ours: "Stopped at the tool: what runs is exactly what was approved, or nothing.",
    },
    zh: {
      situation: "批准之后，另一个中间件改了参数。",
      stock: "按改过的参数执行。",
      ours: "在工具那里拦住：要么执行的正是批准的内容，要么不执行。",
    },
  },
  {
    id: "H31",
    en: {
      situation: "A retry middleware around the pause.",
      stock: "It takes the pause for an error: nobody is asked.",
      ours: "The pause survives, whichever is listed first; and a retry does not start the tool twice on one approval.",
    },
    zh: {
      situation: "暂停的外层有一个重试中间件。",
      stock: "它把暂停当成出错，没有人会被问到。",
      ours: "不管哪个排在前面，暂停都在；一次批准之内重试，也不会让工具启动两次。",
    },
  },
  {
    id: "H32",
    en: {
      situation: 'An agent with `version: "v1"` and several interrupts.',
      stock: "Only the first of them comes out.",
      ours: "`batched` asks about all calls at once; `per_call` is refused with `config_invalid`.",
    },
    zh: {
      situation: '智能体设置了 `version: "v1"`，有几个 interrupt。',
      stock: "只能看到第一个。",
      ours: "`batched` 一次问完所有调用；`per_call` 会以 `config_invalid` 拒绝。",
    },
  },
];
