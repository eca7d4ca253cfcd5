const LIST_MARK =
  /^\s*(?:\d{1,2}[.)、．:：]\s*|[-*•·]\s+|[(（]\d{1,2}[)）]\s*|[①-⑳]\s*|[一二三四五六七八九十]+、|第[一二三四五六七八九十]+步?[，,：:、]?\s*)/u;

const ENGLISH =
  /^(?:please|pls|plz|kindly|hey|hi|hello|ok|okay|so|now|also|and|then|next|finally|lastly|afterwards?|after (?:that|this|which)|first(?: of all)?|second(?:ly)?|third(?:ly)?|last|(?:can|could|would|will) you(?: mind)?|i(?:'d|’d| would) like (?:you )?to|i (?:want|need) (?:you )?to|i would love to|you (?:should|must|can|may|need to)|let'?s|let us|go ahead and|just|help me(?: to)?|make sure (?:to|you)|(?:don['’]?t|do not) forget to|remember to|be sure to|try to|quickly|immediately|but|plus|as well as|followed by|once (?:that's )?done|when (?:that's )?done|assistant)\b[\s,:，]*/iu;

const CHINESE =
  /^(?:请问|请你|请|麻烦您|麻烦你|麻烦|拜托你?|劳驾|帮我|帮忙|帮|替我|你?能不能|你?能否|你?可不可以|你?可以|能|给我(?=看|读|打开|显示|查|删|写|新建|创建|念)|别忘了|不要忘记|记得|现在|立刻|马上|首先|先|其次|然后|接着|随后|之后|再|最后|并且|并|同时|另外|此外|顺便|还要|还有|还(?!给|款|钱)|以及|而且|也|和|我想让你|我希望你|我需要你?|我想要?|我要|需要|想要?|要|去(?!掉|除)|来|直接|赶快|快|好的|嗯|那么|那就|那|就|完成后|做完后|后|您|你)[\s，,：:、]*/u;

/** Takes away what comes before the request itself: list marks, courtesies, "and then", 请帮我 …. */
export function withoutPreamble(text: string): string {
  let rest = text.replace(LIST_MARK, "").trimStart();
  for (;;) {
    const shorter = rest
      .replace(/^[\s,，、;；。.!！?？:：]+/, "")
      .replace(ENGLISH, "")
      .replace(CHINESE, "");
    if (shorter === rest) return rest;
    rest = shorter;
  }
}

/** Takes away what comes after unquoted content without belonging to it: "please", 谢谢, a full stop. */
export function withoutCourtesy(text: string): string {
  const courtesy =
    /[\s,，]*(?:\b(?:please|pls|thanks|thank you(?: very much)?|thx|for me|right now|now|if you can)|谢谢你?|多谢|拜托了?|好吗|好么|可以吗|行吗|吧)?[\s,，.。!！?？;；、]*$/iu;
  let rest = text.trim();
  for (;;) {
    const shorter = rest.replace(courtesy, "");
    if (shorter === rest) return rest;
    rest = shorter;
  }
}
