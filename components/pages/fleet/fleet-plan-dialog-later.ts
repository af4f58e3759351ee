import { later } from "@/components/ui/later";

export const FleetPlanDialog = later(() => import("./fleet-plan-dialog").then((module) => module.FleetPlanDialog));
