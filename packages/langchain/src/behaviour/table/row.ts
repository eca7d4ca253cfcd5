/** One row of the behaviour table: a situation, what LangChain's middleware does in it, and what ours does. */
export type Row = {
  readonly id: `H${number}`;
  readonly en: RowText;
  readonly zh: RowText;
};

/** What a row says, in one language, in Markdown. */
export type RowText = {
  readonly situation: string;
  readonly stock: string;
  readonly ours: string;
};
