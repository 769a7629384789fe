import type { AnyRoute } from "@tanstack/react-router"

/** Guardrails and the calibration of judges. */
export function pagesOfJudges(_root: AnyRoute): AnyRoute[] {
  return []
}
