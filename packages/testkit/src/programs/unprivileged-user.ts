/** The user `nobody`, which every system has. */
const NOBODY = 65_534

/** Returns the options for spawning PostgreSQL, which refuses to run as root: as `nobody` if this process is root. */
export function unprivilegedUser(): { readonly uid?: number; readonly gid?: number } {
  return process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
}
