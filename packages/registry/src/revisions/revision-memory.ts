import type { Tree } from "./revisions.ts"

/** Trees in memory, within a number of files. */
export interface TreeMemory {
  get(filesetId: string, commit: string): Tree | undefined
  put(filesetId: string, tree: Tree): void
  drop(filesetId: string, commit: string): void
}

/** About 50 MB. */
const MAX_FILES = 200_000

/** What one tree costs besides its files. */
const OWN_COST = 10

export function createTreeMemory(maxFiles = MAX_FILES): TreeMemory {
  const trees = new Map<string, Tree>()
  let files = 0
  const drop = (key: string) => {
    const tree = trees.get(key)
    if (trees.delete(key)) files -= costOf(tree)
  }
  const keep = (key: string, tree: Tree) => {
    drop(key)
    trees.set(key, tree)
    files += costOf(tree)
  }
  return {
    get(filesetId, commit) {
      const key = `${filesetId} ${commit}`
      const tree = trees.get(key)
      if (tree !== undefined) keep(key, tree)
      return tree
    },
    put(filesetId, tree) {
      keep(`${filesetId} ${tree.commit}`, tree)
      for (const oldest of trees.keys()) {
        // The one that was just put stays, however large it is: its client is about to come back with it.
        if (files <= maxFiles || trees.size === 1) break
        drop(oldest)
      }
    },
    drop: (filesetId, commit) => drop(`${filesetId} ${commit}`),
  }
}

function costOf(tree: Tree | undefined): number {
  return tree === undefined ? 0 : tree.files.length + OWN_COST
}
