import type { AnyRoute } from "@tanstack/react-router"
import { pageRoute } from "../page-route.tsx"

/** Guardrails and the calibration of judges. */
export function pagesOfJudges(root: AnyRoute): AnyRoute[] {
  return [
    pageRoute(root, "/guardrails", () => import("./guardrails/guardrails-page.tsx"), "GuardrailsPage"),
    pageRoute(root, "/guardrails/$workspace/$name", () => import("./guardrail/guardrail-page.tsx"), "GuardrailPage"),
    pageRoute(root, "/calibration", () => import("./calibration/calibration-page.tsx"), "CalibrationPage"),
  ]
}
