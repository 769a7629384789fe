/**
 * Whether a side of a command is a place on this machine: it begins with `.`, `/`, `~` or a drive, or ends with a slash and
 * names no path in a fileset. How it is written tells, so that what lies in the working folder does not change what a
 * command means.
 */
export function isFolderName(side: string): boolean {
  return /^[./~]|^[A-Za-z]:[\\/]|^[^#]*[\\/]$/.test(side)
}
