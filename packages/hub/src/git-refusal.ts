import { printable } from "@assay/schemas"
import { lfsUrl, type Repository } from "./hub-address.ts"

const LENGTH_DIGITS = 4
const MAX_SHOWN = 100

/** Formats a packet of git's protocol: its length with its own four digits in hex, and its text. */
export function formatPacket(text: string): string {
  return (Buffer.byteLength(text) + LENGTH_DIGITS).toString(16).padStart(LENGTH_DIGITS, "0") + text
}

/** Returns the message of git for a user who clones or pushes a fileset. */
export function gitRefusal(hub: string, { ws, name }: Repository): string {
  const shown = { ws: printable(ws.slice(0, MAX_SHOWN)), name: printable(name.slice(0, MAX_SHOWN)) }
  const id = `${shown.ws}/${shown.name}`
  const download = `HF_ENDPOINT=${hub} hf download ${id}`
  return `${id} is a fileset, not a git repository: get its files with \`${download}\` or \`assay pull\`. It can be the Git LFS server of a repository elsewhere: git config lfs.url ${lfsUrl(hub, shown)}`
}
