import { api } from "@/lib/api/http/console-api";

export const { GET, POST, PUT, PATCH, DELETE } = api;
