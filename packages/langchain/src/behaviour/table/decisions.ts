import type { Row } from "./row.ts";

/** H19 to H27: what decisions do. */
export const decisions: readonly Row[] = [
  {
    id: "H19",
    en: {
      situation:
        "One message with a call that is approved, one that is rejected and one that is free.",
      stock:
        "The approved call vanishes, and the free one neither runs nor gets a result; model providers answer with an error.",
      ours: 'The approved and the free call run, and each call gets one result. `mixedDecisions: "legacy"` brings the old rule back.',
    },
    zh: {
      situation: "同一条消息里，一个调用被批准，一个被拒绝，还有一个不用审批。",
      stock: "被批准的调用消失，不用审批的既不执行也没有结果，模型服务商会因此报错。",
      ours: '被批准的和不用审批的都会执行，每个调用各有一个结果。设置 `mixedDecisions: "legacy"` 可以恢复原来的规则。',
    },
  },
  {
    id: "H20",
    en: {
      situation: "Free and held calls are mixed in one message.",
      stock: "The free ones move to the front, in the message and in the results.",
      ours: "The order of the model stays, in the message and in the results.",
    },
    zh: {
      situation: "一条消息里，不用审批的和要审批的调用混在一起。",
      stock: "不用审批的被挪到前面，消息和结果都是如此。",
      ours: "消息和结果都保持模型给出的顺序。",
    },
  },
  {
    id: "H21",
    en: {
      situation: "An edit turns the call into one of another tool.",
      stock: "It runs, and the rule of that other tool is not asked.",
      ours: "Refused: an edit stays on its tool. Reject the call and say which tool to use.",
    },
    zh: {
      situation: "修改时把调用换成了另一个工具。",
      stock: "照样执行，不管另一个工具自己的规则。",
      ours: "拒绝：修改不能换工具。请拒绝这个调用，并说明该用哪个工具。",
    },
  },
  {
    id: "H22",
    en: {
      situation: "An edit names a tool that does not exist.",
      stock: "Accepted. The model gets an error, and the reviewer never hears of it.",
      ours: "Refused when it is sent; the call keeps waiting.",
    },
    zh: {
      situation: "修改里的工具并不存在。",
      stock: "接受。模型收到一个错误，审批人却毫不知情。",
      ours: "提交时就拒绝，调用继续等着。",
    },
  },
  {
    id: "H23",
    en: {
      situation: "An edit has arguments that do not fit.",
      stock:
        "The model gets the error, with a stack trace and paths of the server; `argsSchema` is never checked.",
      ours: "Checked against the tool's schema and `argsSchema` when it is sent; the refusal names the field, and the call keeps waiting.",
    },
    zh: {
      situation: "修改后的参数不符合要求。",
      stock: "错误发给了模型，还带着调用栈和服务器上的路径；`argsSchema` 从不检查。",
      ours: "提交时就按工具的参数定义和 `argsSchema` 检查，拒绝时指出是哪个字段，调用继续等着。",
    },
  },
  {
    id: "H24",
    en: {
      situation: "An edit, where the message carries the call in more than one form.",
      stock:
        "Only `tool_calls` changes. Content blocks and the provider's raw form keep the old call, and the model may make it again.",
      ours: "All forms agree when the model is asked next. The record keeps the original; `editNotice: true` tells the model that a person changed it.",
    },
    zh: {
      situation: "修改一个调用，而消息里这个调用有不止一种写法。",
      stock: "只改 `tool_calls`。内容块和服务商的原始格式还是旧的，模型可能会再发一次旧的调用。",
      ours: "下次询问模型之前，各种写法都改成一致。原来的调用留在记录里；设置 `editNotice: true` 会告诉模型有人改过。",
    },
  },
  {
    id: "H25",
    en: {
      situation: "A person answers in place of the tool: `respond`.",
      stock: "Throws, and the thread is lost (H1).",
      ours: "The text becomes the result of the call, with status `success`; the tool does not run.",
    },
    zh: {
      situation: "由人代替工具回答：`respond`（回复）。",
      stock: "抛错，线程就此作废（见 H1）。",
      ours: "文字成为调用的结果，状态为 `success`，工具不执行。",
    },
  },
  {
    id: "H26",
    en: {
      situation: "The model makes the same call again after every rejection.",
      stock: "A person is asked every time, without end.",
      ours: "After three rejections of the same call nobody is asked any more and the model is told so; if it makes the call yet again, the turn ends. `maxRejections` sets the number.",
    },
    zh: {
      situation: "每次被拒绝之后，模型又发出同样的调用。",
      stock: "每次都来问人，没完没了。",
      ours: "同样的调用被拒绝三次之后就不再问人，并告诉模型；模型要是还发，这一轮就结束。次数由 `maxRejections` 设定。",
    },
  },
  {
    id: "H27",
    en: {
      situation: "Two calls have the same id, or a call has none.",
      stock:
        'Their decisions merge: approve one and reject the other, and nothing runs. Without an id, the message answers the call "undefined".',
      ours: "Every call gets an id of its own when the model answers, and its own decision.",
    },
    zh: {
      situation: "两个调用的 id 相同，或者调用没有 id。",
      stock:
        "两个决定混为一谈：批准一个、拒绝另一个，结果都不执行。没有 id 时，消息答复的是 id 为“undefined”的调用。",
      ours: "模型一答完，每个调用就有自己的 id，也各有各的决定。",
    },
  },
];
