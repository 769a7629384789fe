/** Returns whether a `files_url` names a place on the machine that runs the job, such as `./rows.csv`. */
export function isLocalPlace(text: string): boolean {
  return /^(?:\.{1,2}|~)?\/|^\.{1,2}$|^[A-Za-z]:[\\/]/.test(text)
}
