import { AssayError } from "@assay/schemas"
import type { CallerFilesets } from "@assay/filesets"
import { isBranch, parseRevision, type RevisionAddress } from "./hub-address.ts"

/** The names that git accepts for tags, without those that are awkward in an address. */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9._+/-]{0,99}$/
const COMMIT = /^[0-9a-f]{40}$/

/** Names the commit of a revision with a tag. @throws `bad_request` for a name that can't be one; `already_exists` */
export async function createTag(
  { revisions, history }: CallerFilesets,
  { ws, name, rev }: RevisionAddress,
  { tag, message }: { readonly tag: string; readonly message: string },
): Promise<void> {
  if (!NAME.test(tag) || tag.includes("..") || isBranch(tag) || COMMIT.test(tag)) {
    const text = `'${tag}' can't be the name of a tag: use letters, digits and . _ + - /, at most 100, and not main or the id of a commit.`
    throw new AssayError("bad_request", text)
  }
  const { commit } = await revisions.get(ws, name, parseRevision(rev))
  await history.createTag(ws, name, { name: tag, commit, message })
}
