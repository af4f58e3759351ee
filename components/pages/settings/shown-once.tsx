import { Button } from "@/components/ui/button";
import { Dialog, DialogSection } from "@/components/ui/overlay/dialog";
import { Copyable } from "@/components/ui/text/copyable";

interface ShownOnceProps {
  title: string;
  /** Null: it was shown already, in an answer that got lost. */
  secret: string | null;
  what: string;
  note: string;
  onClose: () => void;
}

/** A secret that is not stored: shown once. */
export function ShownOnce({ title, secret, what, note, onClose }: ShownOnceProps) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={title}
      description={note}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <DialogSection>
        {secret === null ? (
          <p className="text-red">The response with it was lost. Create another one, and revoke this one.</p>
        ) : (
          <Copyable text={secret} what={what} className="w-full rounded-md bg-sunken px-2.5 py-2" />
        )}
      </DialogSection>
    </Dialog>
  );
}
