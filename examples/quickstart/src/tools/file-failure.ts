/**
 * Throws an expected failure of a file operation as one sentence a model can act on; anything else
 * (a full disk, missing permissions) is not expected and is thrown as it is. A tool that throws has
 * failed, and its receipt says so; a text that it returns would count as success.
 */
export function throwFileFailure(path: string, cause: unknown): never {
  const sentence = sentenceFor(path, cause);
  if (sentence === undefined) throw cause;
  throw new Error(sentence, { cause });
}

function sentenceFor(path: string, cause: unknown): string | undefined {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  switch (code) {
    case "ENOENT":
      return `there is no file \`${path}\` in the workspace.`;
    case "EISDIR":
    case "EPERM":
      return `\`${path}\` is a folder, not a file.`;
    case "ENOTDIR":
    case "EEXIST":
      return `\`${path}\` runs through something that is a file, not a folder.`;
    case "ENAMETOOLONG":
      return `\`${path}\` is too long for a file name.`;
    default:
      return undefined;
  }
}
