import type { Row } from "./row.ts";

/** H1 to H9: answers and resume. */
export const answers: readonly Row[] = [
  {
    id: "H1",
    en: {
      situation:
        "A wrong answer (malformed, too many or too few decisions, one that is not allowed), then the right one.",
      stock:
        "The wrong answer is stored and replayed: every later answer fails with the same error. The thread is lost.",
      ours: "The call fails and says what was expected; nothing is stored, and the right answer works under the same interrupt id. `repairThread()` frees a thread that LangChain's middleware has lost, and `invoke(null, config)` asks anew.",
    },
    zh: {
      situation: "先给出错误的答复（格式不对、决定的数量不对、决定不被允许），再给出正确的答复。",
      stock:
        "错误的答复会存下来，以后每次都重放：不管再答复什么，报的都是同一个错，这条线程就废了。",
      ours: "这次调用报错，并说明应该怎样答复；什么都不会存下，用同一个 interrupt id 再给出正确的答复即可。已经被 LangChain 的中间件弄坏的线程，先用 `repairThread()` 修复，再用 `invoke(null, config)` 重新发问。",
    },
  },
  {
    id: "H2",
    en: {
      situation: "An answer under the id of an earlier round, while a later one waits.",
      stock:
        "LangGraph gives it to the round that waits now. LangChain's middleware asks only once; code that asks again until the answer is valid runs into this.",
      ours: "It never reaches what waits now, not even a question that the approved tool asks: a repeat changes nothing, anything else is refused, and the error names the id that waits. A wrong answer starts no new round: the id stays.",
    },
    zh: {
      situation: "答复用的是上一轮的 id，而现在等着的是后一轮。",
      stock:
        "LangGraph 会把它交给现在等着的这一轮。LangChain 的中间件只问一次，不会遇到；自己写循环、直到答复有效才停的代码会遇到。",
      ours: "绝不会交给现在等着的那一个，连获批的工具自己提出的问题也不会：重复的答复不起作用，其他的一律拒绝，错误里写明现在等着的 id。答错也不会开始新的一轮，id 不变。",
    },
  },
  {
    id: "H3",
    en: {
      situation: "The same approval is sent twice; when the second arrives, the next call waits.",
      stock: "The second one approves the next call, which nobody has seen.",
      ours: 'An answer that names its action or interrupt counts for that one alone: the repeat gets the recorded result, and the next call stays held. An answer by position names nothing and counts for what waits; `answers: "named"` refuses such answers.',
    },
    zh: {
      situation: "同一个批准发了两次，第二次到达时，等着的已经是下一个调用。",
      stock: "第二次批准的是下一个调用，而这个调用还没有人看过。",
      ours: '指明了操作或 interrupt 的答复只对它所指的那一个有效：重复的答复得到已经记下的结果，下一个调用仍然被拦着。按位置给出的答复没有指明任何东西，会算在当前等着的调用上；设置 `answers: "named"` 就不再接受这样的答复。',
    },
  },
  {
    id: "H4",
    en: {
      situation: "Two identical approvals at the same time.",
      stock: "The tool runs twice.",
      ours: "The tool runs once, and both callers get its result. With an engine this holds across processes, without one within a process.",
    },
    zh: {
      situation: "两个相同的批准同时到达。",
      stock: "工具执行了两次。",
      ours: "工具只执行一次，两个调用方都得到它的结果。有引擎时跨进程也成立，没有引擎时在同一个进程内成立。",
    },
  },
  {
    id: "H5",
    en: {
      situation: "An approval and a rejection at the same time.",
      stock: "One caller is told that the call was rejected, while the tool runs for the other.",
      ours: "The first one that is recorded counts. The other caller gets the same interrupt once more, with who decided what, and when.",
    },
    zh: {
      situation: "一个批准和一个拒绝同时到达。",
      stock: "一方得知调用已被拒绝，另一方却让工具执行了。",
      ours: "先记下的那个算数。另一方会再次得到同一个 interrupt，里面写明谁、在什么时候、做了什么决定。",
    },
  },
  {
    id: "H6",
    en: {
      situation: "An answer to an interrupt that was answered before.",
      stock: "Dropped without a word; the caller gets whatever waits now.",
      ours: "`resumeThread()`, `invoke` of a `holdAgent` agent, and any `invoke` while another call waits, say `already_decided`, and by whom, when and how. The same decision once more gets the recorded result. Without an engine only the process that took the decision knows it; a new one says that nothing waits under that id.",
    },
    zh: {
      situation: "答复的是一个早已答复过的 interrupt。",
      stock: "悄悄丢掉，调用方得到的是现在等着的那一个。",
      ours: "`resumeThread()`、`holdAgent` 智能体的 `invoke`，以及还有别的调用在等时的任何 `invoke`，都会报 `already_decided`，并说明是谁、在什么时候、怎样决定的。再次发送同一个决定，得到的是已经记下的结果。没有引擎时，只有记下决定的那个进程知道；新的进程只会说这个 id 下没有等着的审批。",
    },
  },
  {
    id: "H7",
    en: {
      situation: "One answer without an id, while several interrupts wait.",
      stock: "Each of them takes it for its own: one click approves all.",
      ours: "Refused; the error lists the ids that wait. Answer each by its id, all together or one at a time.",
    },
    zh: {
      situation: "有几个 interrupt 在等，却来了一个不带 id 的答复。",
      stock: "每一个都把它当成自己的：点一下就全部批准了。",
      ours: "拒绝，并在错误里列出等着的 id。请按 id 分别答复，一起发或逐个发都可以。",
    },
  },
  {
    id: "H8",
    en: {
      situation: "The user sends a message while a call waits.",
      stock:
        "The pause is dropped and the call never gets a result, which model providers answer with an error. A late approval looks accepted and does nothing.",
      ours: "What waited is withdrawn: each call gets a result that says so, at its own place in the history. A late answer through `resumeThread()` is told `review_closed`.",
    },
    zh: {
      situation: "调用还在等审批，用户又发来一条消息。",
      stock:
        "这次暂停被丢掉，调用永远没有结果，模型服务商会因此报错。之后再批准，看起来成功了，实际什么也没发生。",
      ours: "等着的调用被撤回：每个调用都在历史里自己的位置上得到一条说明撤回的结果。之后再用 `resumeThread()` 答复，会得到 `review_closed`。",
    },
  },
  {
    id: "H9",
    en: {
      situation: "A resume of a thread that never ran.",
      stock: "Succeeds, with an empty list of messages.",
      ours: "`resumeThread()`, and `invoke` of a `holdAgent` agent, say `thread_not_found`.",
    },
    zh: {
      situation: "恢复一条从未运行过的线程。",
      stock: "显示成功，消息列表是空的。",
      ours: "`resumeThread()` 和 `holdAgent` 智能体的 `invoke` 会报 `thread_not_found`。",
    },
  },
];
