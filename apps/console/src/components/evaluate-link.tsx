import { Link } from "@tanstack/react-router"
import type { ReactElement } from "react"
import { useRights } from "../api/use-session.ts"

export interface EvaluateLinkProps {
  readonly workspace: string
  readonly fileset: string
  /** A file of it. Default: all of its files. */
  readonly path?: string | undefined
}

/** Renders a link that launches an evaluation over a dataset, for users who may. */
export function EvaluateLink({ workspace, fileset, path }: EvaluateLinkProps): ReactElement | null {
  const { mayEdit } = useRights()
  if (!mayEdit()) return null
  const data = `${workspace}/${fileset}${path === undefined ? "" : `#${path}`}`
  return (
    <Link to="/launch" search={{ data }} className="button">
      Evaluate
    </Link>
  )
}
