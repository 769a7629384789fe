import type { Storage } from "@assay/storage"
import type { FilesOptions } from "../files/create-files.ts"
import type { Files } from "../files/files.ts"
import type { FilesetRow } from "../filesets/fileset-row.ts"
import type { FilesetsContext } from "../filesets-context.ts"
import type { StoredRevisions } from "../revisions/stored-revisions.ts"
import { compareStates } from "./compare-states.ts"
import type { History, OpenedState } from "./history.ts"
import type { HistoryBounds } from "./keep-within.ts"
import type { KeptRecords } from "./kept-records.ts"
import { authorsOf, listHistory, nameCommit } from "./list-changes.ts"
import { resolveState, type OpenedHistory, type StatesContext } from "./resolve-state.ts"
import { restoreState } from "./restore-state.ts"
import { openStateStorage } from "./state-storage.ts"
import { createTag, deleteTag, listTags } from "./tags.ts"

/** The parts of the history that all callers share. */
export interface HistoryParts {
  readonly records: KeptRecords
  readonly bounds: HistoryBounds
  readonly stored: StoredRevisions
  /** Days that the history reaches back. */
  readonly days: number
}

interface CallerOptions extends Pick<FilesOptions, "find" | "open" | "rights" | "author"> {
  readonly files: Files
}

/** Creates the history of filesets for a caller. */
export function createHistory(
  context: FilesetsContext,
  { records, bounds, stored, days }: HistoryParts,
  { files, ...options }: CallerOptions,
): History {
  const { database, now } = context
  const states = { database, now, stored, days }

  async function opened(workspace: string, name: string): Promise<{ row: FilesetRow; storage: Storage }> {
    const row = await options.find(workspace, name)
    await records.flush()
    return { row, storage: await options.open(row, options.rights) }
  }

  return {
    async list(workspace, name, query) {
      const row = await options.find(workspace, name)
      await records.flush()
      return listHistory(context, row.id, query)
    },

    ...createComparisons(states, async (workspace, name) => {
      const { row, storage } = await opened(workspace, name)
      return { id: row.id, workspace, name, storage }
    }),

    async restore(workspace, name, restoring) {
      await files.openWritable(workspace, name)
      const { row, storage } = await opened(workspace, name)
      const target = { id: row.id, workspace, name, storage, files }
      const state = await resolveState(states, target, restoring.revision)
      const report = await restoreState(context, target, { ...restoring, state, author: options.author ?? "" })
      await records.flush()
      return report
    },

    async purge(workspace, name) {
      return bounds.purge(await options.find(workspace, name))
    },

    async nameCommit(filesetId, change, commit) {
      await records.flush()
      await nameCommit(context, { filesetId, change, commit })
    },

    async authors(workspace, name, commits) {
      const { id } = await options.find(workspace, name)
      return authorsOf(context, id, commits)
    },

    async squash(workspace, name, title) {
      const { id } = await options.find(workspace, name)
      await bounds.purge({ id })
      await stored.squash(id)
      const newest = await stored.newest(id)
      if (newest !== undefined) await stored.setTitle(id, newest.commit, title)
    },

    listTags: async (workspace, name) => listTags(context, (await options.find(workspace, name)).id),
    createTag: async (workspace, name, tag) => createTag(context, await options.find(workspace, name), tag),
    deleteTag: async (workspace, name, tag) => deleteTag(context, await options.find(workspace, name), tag),
  }
}

/** Creates what compares revisions. */
function createComparisons(
  states: StatesContext,
  open: (workspace: string, name: string) => Promise<OpenedHistory>,
): Pick<History, "diff" | "open"> {
  return {
    async diff(workspace, name, { from, to, path }) {
      const fileset = await open(workspace, name)
      const [old, late] = [await resolveState(states, fileset, from), await resolveState(states, fileset, to)]
      return { from: old.revision, to: late.revision, files: compareStates(old, late, path) }
    },

    async open(workspace, name, revisions) {
      const fileset = await open(workspace, name)
      const all: OpenedState[] = []
      for (const named of revisions) {
        const state = await resolveState(states, fileset, named)
        all.push({ revision: state.revision, storage: openStateStorage(states, fileset, state) })
      }
      return all
    },
  }
}
