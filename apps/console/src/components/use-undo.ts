import { messageOf } from "@assay/schemas/errors"
import { useCallback } from "react"
import { useNotify } from "./notices.tsx"

/** Returns the function that makes an undo for a notice. It says what came of it. */
export function useUndo(): (work: () => Promise<unknown>, done: string) => () => void {
  const notify = useNotify()
  return useCallback(
    (work, done) => {
      const undo = async () => {
        try {
          await work()
          notify(done)
        } catch (error) {
          notify(`This can't be undone: ${messageOf(error)}`)
        }
      }
      return () => void undo()
    },
    [notify],
  )
}
