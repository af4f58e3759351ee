import { TEST_AUDIT_KEY } from "../audit-keys";

process.env.HANDRAIL_AUDIT_KEY = TEST_AUDIT_KEY;
