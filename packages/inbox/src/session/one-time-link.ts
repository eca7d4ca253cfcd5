const pattern = /^#\/enter\/([A-Za-z0-9_.~-]+)$/;

/** The token in a one-time link's fragment `#/enter/<token>`, or `undefined` for any other address. */
export function readOneTimeToken(hash: string): string | undefined {
  return pattern.exec(hash)?.[1];
}

/**
 * Calls `enter` with the token of a one-time link, now and whenever one is opened in this tab later.
 * The token leaves the address and the history at once. Returns whether there was one now.
 */
export function followOneTimeLinks(enter: (token: string) => void): boolean {
  const follow = (): boolean => {
    const token = readOneTimeToken(location.hash);
    if (token === undefined) return false;
    history.replaceState(null, "", "/");
    enter(token);
    return true;
  };
  // A link pasted into an open page changes the fragment only: the page is not loaded again.
  window.addEventListener("hashchange", follow);
  return follow();
}
