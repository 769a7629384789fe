import { resolve } from "node:path"
import { localLabelFiles } from "@assay/local"
import { type labelDesk, labelStore } from "@assay/results"
import type { Context } from "../../context.ts"
import { isLocal } from "../../is-folder-name.ts"
import { openClient } from "../../open-client.ts"
import { given } from "../option-values.ts"

export interface LabelOptions {
  /** A fileset for a job of the server, or a file for a folder of results. */
  readonly labels?: string
}

/** The labels that commands read and write, for a job of the server or for results on this machine. */
export interface OpenedLabels extends AsyncDisposable {
  /** The id of the job. */
  readonly id: string
  readonly desk: ReturnType<typeof labelDesk.ofJob>
}

/** The file for labels of folders if none is named. */
export const LABELS_HERE = "labels.jsonl"

/** Opens the labels of a job: an id of the server, or a folder with results. */
export async function openLabels(context: Context, job: string, { labels }: LabelOptions): Promise<OpenedLabels> {
  const { cwd, signal } = context
  if (isLocal(context, job)) {
    const file = labels ?? LABELS_HERE
    return localLabelFiles.openFolder(resolve(cwd, job), job, labelStore.ofFile(resolve(cwd, file), file))
  }
  const { labels: remote } = openClient(context).evaluation.jobs
  const fileset = given({ fileset: labels })
  return {
    id: job,
    desk: {
      add: async (body) => remote.add(job, { ...body, ...fileset }, { signal }),
      list: async (metric) => remote.list(job, { metric, ...fileset }, { signal }),
      queue: async (metric, options) => remote.next(job, { metric, ...options, ...fileset }, { signal }),
      report: async (metric) => remote.report(job, { metric, ...fileset }, { signal }),
    },
    async [Symbol.asyncDispose]() {},
  }
}
