/** The user `nobody`, which every system has. */
const NOBODY = 65_534

/** How to spawn PostgreSQL, which refuses to run as root: as `nobody` where we are root, and as we are elsewhere. */
export function unprivilegedUser(): { readonly uid?: number; readonly gid?: number } {
  return process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
}
