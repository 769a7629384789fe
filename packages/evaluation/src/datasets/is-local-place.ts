/** Whether a `files_url` names a place of the machine that runs the job, such as `./rows.csv`: how it is written tells. */
export function isLocalPlace(text: string): boolean {
  return /^(?:\.{1,2}|~)?\/|^\.{1,2}$|^[A-Za-z]:[\\/]/.test(text)
}
