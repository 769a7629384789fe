import type { AnyRoute } from "@tanstack/react-router"
import { pageRoute } from "../page-route.tsx"

/** Adds the pages of guardrails and of the calibration of judges. */
export function pagesOfJudges(root: AnyRoute): AnyRoute[] {
  return [
    pageRoute(root, "/guardrails", () => import("./guardrails/guardrails-page.tsx"), "GuardrailsPage"),
    pageRoute(root, "/guardrails/$workspace/$name", () => import("./guardrail/guardrail-page.tsx"), "GuardrailPage"),
    pageRoute(root, "/calibration", () => import("./calibration/calibration-page.tsx"), "CalibrationPage"),
  ]
}
