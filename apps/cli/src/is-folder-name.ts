/**
 * Returns whether an argument names a path on this machine: it begins with `.`, `/`, `~` or a drive letter, or it ends with a slash
 * and has no `#`. Only the spelling decides, so that files in the working folder do not change the meaning of a command.
 */
export function isFolderName(side: string): boolean {
  return /^[./~]|^[A-Za-z]:[\\/]|^[^#]*[\\/]$/.test(side)
}
