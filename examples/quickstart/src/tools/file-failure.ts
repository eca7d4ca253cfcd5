/**
 * Puts an expected failure of a file operation into one sentence a model can act on; anything else
 * (a full disk, missing permissions) is not expected and is thrown again.
 */
export function fileFailure(path: string, cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  switch (code) {
    case "ENOENT":
      return `Error: there is no file \`${path}\` in the workspace.`;
    case "EISDIR":
    case "EPERM":
      return `Error: \`${path}\` is a folder, not a file.`;
    case "ENOTDIR":
    case "EEXIST":
      return `Error: \`${path}\` runs through something that is a file, not a folder.`;
    case "ENAMETOOLONG":
      return `Error: \`${path}\` is too long for a file name.`;
    default:
      throw cause;
  }
}
