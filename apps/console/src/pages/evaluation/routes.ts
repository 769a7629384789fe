import type { AnyRoute } from "@tanstack/react-router"

/** Launching jobs, and what came of them. */
export function pagesOfEvaluation(_root: AnyRoute): AnyRoute[] {
  return []
}
