import type { BaseMessage } from "@langchain/core/messages";

/** What is known of a message that went out or came in: the hash of its text, and what it was then. */
export type Known = { readonly hash: string; readonly was: BaseMessage };

/** Gives back what it is given, so that a class that extends it puts its private fields there. */
class Given {
  constructor(message: BaseMessage) {
    // oxlint-disable-next-line no-constructor-return -- this is what the class is for
    return message;
  }
}

/**
 * Keeps what is known on the message itself, in a private field that nobody sees. A weak map does the same
 * for thirty times the time, which is felt in conversations of thousands of messages.
 */
class Remembered extends Given {
  #known: Known;

  private constructor(message: BaseMessage, known: Known) {
    super(message);
    this.#known = known;
  }

  static of(message: BaseMessage): Known | undefined {
    return #known in message ? (message as unknown as Remembered).#known : undefined;
  }

  static keep(message: BaseMessage, known: Known): void {
    if (#known in message) (message as unknown as Remembered).#known = known;
    else if (Object.isExtensible(message)) new Remembered(message, known);
  }
}

/** What is known of a message; nothing of one that was not seen before, or that takes no fields. */
export const knownOf = (message: BaseMessage): Known | undefined => Remembered.of(message);

/** Remembers it. */
export const rememberMessage = (message: BaseMessage, known: Known): void =>
  Remembered.keep(message, known);
