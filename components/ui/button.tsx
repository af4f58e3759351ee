import { cva, type VariantProps } from "class-variance-authority";
import { Slot } from "radix-ui";
import type { ComponentProps } from "react";
import { classNames } from "@/lib/class-names";

const look = cva(
  "inline-flex shrink-0 items-center justify-center gap-1.5 whitespace-nowrap rounded-md border font-medium transition-colors disabled:cursor-not-allowed aria-disabled:cursor-not-allowed",
  {
    variants: {
      variant: {
        primary:
          "border-transparent bg-accent text-on-accent hover:bg-accent-strong disabled:bg-gray-soft disabled:text-ink-3",
        secondary:
          "border-line-strong bg-panel text-ink hover:bg-sunken disabled:bg-sunken disabled:text-ink-3 aria-disabled:bg-sunken aria-disabled:text-ink-3",
        ghost: "border-transparent text-ink-2 hover:bg-gray-soft hover:text-ink disabled:text-ink-3",
        danger: "border-transparent bg-red text-on-red hover:opacity-90 disabled:bg-gray-soft disabled:text-ink-3",
      },
      size: {
        // 44 px where a thumb presses, 28 px where a pointer clicks.
        normal: "h-11 short:h-8 px-4 md:h-7 md:px-2.5",
        small: "h-11 short:h-8 px-3 text-small md:h-6 md:px-2",
        square: "size-11 md:size-7",
      },
    },
    defaultVariants: { variant: "secondary", size: "normal" },
  },
);

export interface ButtonProps extends ComponentProps<"button">, VariantProps<typeof look> {
  /** Gives the look to the one child, such as a link. */
  asChild?: boolean;
}

export function Button({ variant, size, asChild = false, className, type = "button", ...props }: ButtonProps) {
  const classes = classNames(look({ variant, size }), className);
  return asChild ? <Slot.Root className={classes} {...props} /> : <button type={type} className={classes} {...props} />;
}
