/** Returns whether a `files_url` names a path on the machine that runs the job, such as `./rows.csv`. */
export function isLocalPath(text: string): boolean {
  return /^(?:\.{1,2}|~)?\/|^\.{1,2}$|^[A-Za-z]:[\\/]/.test(text)
}
