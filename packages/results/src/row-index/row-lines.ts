import type { StoredJournal } from "@assay/job-store"
import { copiedRows, copyRows, type VersionedRows } from "./copy-rows.ts"
import { fileJournalSource, type RowLines, tableJournalSource } from "./journal-source.ts"
import { rowsGone } from "./read-rows-at.ts"
import { nextOffset, readRowPage } from "./row-pages.ts"
import { isWholeRow } from "./table/is-whole-row.ts"

/** Where the lines of a job's rows are. The folder is that of their index. */
export const rowLines = Object.freeze({
  /** Returns the rows of a journal in a file. */
  ofFile: (job: string, folder: string, path: string): RowLines => ({ job, folder, source: fileJournalSource(path) }),
  /** Returns the rows of a journal in the database. */
  ofTable: (job: string, folder: string, journal: StoredJournal): RowLines => ({
    job,
    folder,
    source: tableJournalSource(journal),
  }),
  /** Returns the rows that `copy` has copied into the folder of their index. */
  ofCopy: (job: string, folder: string): RowLines => ({ job, folder, source: fileJournalSource(copiedRows(folder)) }),
  /** Copies a file of rows, unless the folder has this version already. @throws the errors of `copyRows` */
  copy: (rows: VersionedRows, { folder }: RowLines, removeFolder: () => Promise<void>) =>
    copyRows(rows, folder, removeFolder),
  /** Reads a page of scored rows. */
  page: readRowPage,
  nextOffset,
  /** Makes the error of a job whose rows were removed. */
  gone: rowsGone,
  /** Returns whether the value of a line is a row with every field. */
  isWhole: isWholeRow,
})
