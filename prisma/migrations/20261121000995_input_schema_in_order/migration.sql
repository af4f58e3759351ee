-- handrail: online
-- As it was written: jsonb puts the properties of an input into an order of its own, and the form asks in the author's.
alter table "handrail"."workflow" alter column "input_schema" type json using "input_schema"::json;
