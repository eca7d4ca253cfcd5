/** Something that may be shown when `after` has resolved. */
export type Held<Item> = { readonly item: Item; readonly after?: Promise<void> | undefined };

/**
 * Yields items in their order, each when it may be shown, while the source is read on: it never waits for whoever
 * looks. `over` is called when the source is at its end, before the rest is shown. Stops reading when it is left.
 */
export async function* asSaved<Item>(
  source: AsyncIterable<Item>,
  hold: (item: Item) => Held<Item>["after"],
  over: () => Promise<void>,
): AsyncGenerator<Item> {
  const items: Held<Item>[] = [];
  const reading = source[Symbol.asyncIterator]();
  let isOver = false;
  let news = Promise.withResolvers<void>();
  const read = async (): Promise<void> => {
    try {
      for (let next = await reading.next(); next.done !== true; next = await reading.next()) {
        items.push({ item: next.value, after: hold(next.value) });
        news.resolve();
      }
    } finally {
      await over();
    }
  };
  const ended = read().finally(() => {
    isOver = true;
    news.resolve();
  });
  ended.catch(() => undefined); // thrown below, after what came before it
  try {
    for (;;) {
      const next = items.shift();
      if (next !== undefined) {
        await next.after;
        yield next.item;
      } else if (isOver) break;
      else {
        await news.promise;
        news = Promise.withResolvers();
      }
    }
    await ended;
  } finally {
    await reading.return?.();
  }
}
