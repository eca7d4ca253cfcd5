/**
 * Yields items in their order, each when what `hold` gives for it has resolved, while the source is read on: it never waits for whoever
 * looks. `over` is called when the source is at its end, before the rest is shown. Stops reading when it is left.
 */
export async function* asSaved<Item>(
  source: AsyncIterable<Item>,
  hold: (item: Item) => Promise<void> | undefined,
  over: () => Promise<void>,
): AsyncGenerator<Item> {
  const items: { readonly item: Item; readonly after: Promise<void> | undefined }[] = [];
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
