import { sendUpload, type Client, type UploadAddress } from "@assay/client"
import { useQueryClient } from "@tanstack/react-query"
import { useCallback, useEffect, useRef, useState } from "react"
import { useClient } from "../../../api/use-client.ts"
import type { DroppedFile } from "./dropped-files.ts"
import { refreshFiles } from "./refresh-files.ts"

export interface QueuedUpload extends DroppedFile {
  readonly id: number
  /** Bytes that the server has. */
  readonly sent: number
  readonly status: "waiting" | "sending" | "done" | "failed"
  readonly error?: unknown
  /** The upload that continues after a failure. */
  readonly address?: UploadAddress
}

/** Files that are sent at the same time. */
const PARALLEL = 3
/** Up to this size one request is enough, and nothing is left to continue. */
const WHOLE_BYTES = 1_048_576

/** Returns the uploads into a fileset and what can be done with them. A broken one continues where the server stopped. */
export function useUploads(workspace: string, fileset: string) {
  const client = useClient()
  const queries = useQueryClient()
  const [uploads, setUploads] = useState<readonly QueuedUpload[]>([])
  const next = useRef(0)
  const running = useRef(new Map<number, AbortController>())
  const change = useCallback((id: number, part: Partial<QueuedUpload>) => {
    setUploads((all) => all.map((upload) => (upload.id === id ? { ...upload, ...part } : upload)))
  }, [])

  useEffect(() => {
    const waiting = uploads.filter(({ id, status }) => status === "waiting" && !running.current.has(id))
    const send = async (upload: QueuedUpload) => {
      const { id, file } = upload
      const ending = new AbortController()
      running.current.set(id, ending)
      change(id, { status: "sending", error: undefined })
      try {
        await sendFile(client, {
          workspace,
          fileset,
          upload,
          onChange: (part) => change(id, part),
          signal: ending.signal,
        })
        change(id, { status: "done", sent: file.size })
        // The files are read again once, after the last of the uploads that run at the same time.
        if (running.current.size === 1) void refreshFiles(queries, workspace, fileset)
      } catch (error) {
        if (!ending.signal.aborted) change(id, { status: "failed", error })
      } finally {
        running.current.delete(id)
        // The next file is sent when its slot is free, which is only known now.
        setUploads((all) => [...all])
      }
    }
    for (const upload of waiting.slice(0, Math.max(0, PARALLEL - running.current.size))) void send(upload)
  }, [uploads, client, queries, workspace, fileset, change])

  useWarningBeforeUnload(() => running.current.size > 0)
  return {
    uploads,
    add: (files: readonly DroppedFile[]) => {
      setUploads((all) => [
        ...all,
        ...files.map((file) => ({ ...file, id: next.current++, sent: 0, status: "waiting" as const })),
      ])
    },
    retry: (id: number) => change(id, { status: "waiting", error: undefined }),
    cancel: (id: number) => {
      running.current.get(id)?.abort()
      const address = uploads.find((upload) => upload.id === id)?.address
      // If this fails, the server removes the sent bytes when the upload expires.
      if (address !== undefined) client.uploads.remove(address).catch(() => undefined)
      setUploads((all) => all.filter((upload) => upload.id !== id))
    },
    clear: () => setUploads((all) => all.filter(({ status }) => status === "waiting" || status === "sending")),
  }
}

interface FileToSend {
  readonly workspace: string
  readonly fileset: string
  readonly upload: QueuedUpload
  readonly onChange: (part: Partial<QueuedUpload>) => void
  readonly signal: AbortSignal
}

/** Sends a file: a small one in one request, a large one in pieces that can be continued. */
async function sendFile(client: Client, { workspace, fileset, upload, onChange, signal }: FileToSend): Promise<void> {
  const { path, file, address } = upload
  if (file.size <= WHOLE_BYTES) {
    await client.files.write(workspace, fileset, path, file, { signal })
    return
  }
  await sendUpload(client.uploads, {
    workspace,
    fileset,
    upload: { path, size: file.size },
    read: async (start, end) => new Uint8Array(await file.slice(start, end).arrayBuffer()),
    pause: (attempt) => new Promise((resolve) => setTimeout(resolve, 500 * 2 ** attempt)),
    onStart: (started) => onChange({ address: started }),
    onOffset: (sent) => onChange({ sent }),
    signal,
    ...(address === undefined ? {} : { resume: address }),
  })
}

/** Lets the browser ask before the page is closed, which would lose what is on its way. */
function useWarningBeforeUnload(isBusy: () => boolean): void {
  const latest = useRef(isBusy)
  latest.current = isBusy
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (latest.current()) event.preventDefault()
    }
    addEventListener("beforeunload", warn)
    return () => removeEventListener("beforeunload", warn)
  }, [])
}
