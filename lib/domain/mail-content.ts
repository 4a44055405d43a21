import { dayOf } from '#lib/domain/day.ts';
import type { Mail, MailData } from '#lib/domain/mail.ts';
import { moneyText } from '#lib/domain/money.ts';
import { slugOf } from '#lib/domain/program.ts';

/** What a mail says, before it is text or HTML. Everything in it may hold what people have written. */
export interface MailContent {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** A page of ours, and what one does there. */
  readonly action: { readonly label: string; readonly url: string };
  /** Why this person gets it. */
  readonly reason: string;
}

const asPartner = (programName: string): string =>
  `You get this mail because this address is that of a partner of ${programName}.`;
const ABOUT_DETAILS = 'You get this mail at every change of your payout details, whatever your settings.';
const AS_OWNER = 'You get this mail because you are an owner of the workspace.';

/** @param site where the pages are, without a slash at its end */
export function contentOf(mail: Mail, site: string): MailContent {
  switch (mail.kind) {
    case 'partner_invited': {
      const { programName } = mail.data;
      return {
        subject: `Become a partner of ${programName}`,
        paragraphs: [
          `${programName} invites you to become a partner: you get links of your own and earn from the sales that come through them.`,
          `Sign in with ${mail.to.email} and accept within 30 days.`,
        ],
        action: { label: 'See the invitation', url: `${site}/partner` },
        reason: `You get this mail because ${programName} has invited this address.`,
      };
    }
    case 'application_received': {
      const { programId, programName, partnerId, partnerName } = mail.data;
      return {
        subject: `${partnerName} would like to become a partner of ${programName}`,
        paragraphs: [`${partnerName} has applied to ${programName} and waits for your decision.`],
        action: { label: 'See the application', url: `${site}/programs/${programId}/partners/${partnerId}` },
        reason: AS_OWNER,
      };
    }
    case 'application_decided':
      return decided(mail.data, site);
    case 'payout_made': {
      const { programId, programName, amounts } = mail.data;
      const sums = amounts.map(({ amountCents, currency }) => moneyText(amountCents, currency)).join(' and ');
      return {
        subject: `${programName} pays you ${sums}`,
        paragraphs: [
          `${programName} has recorded a payout of ${sums} to you, and sends the money itself. Check your payout details if you have not set them yet.`,
          'When the money arrives depends on how you are paid.',
        ],
        action: { label: 'See what it is for', url: `${site}/partner/programs/${programId}/payouts` },
        reason: asPartner(programName),
      };
    }
    case 'payout_details_changed': {
      const { masked, heldUntil } = mail.data;
      if (masked === undefined) {
        return {
          subject: 'Your payout details were deleted',
          paragraphs: [
            'Nobody sees them any more, and no program can pay you by them.',
            'If this was not you, sign in and set them again at once.',
          ],
          action: { label: 'See your payout details', url: `${site}/partner/payout-details` },
          reason: ABOUT_DETAILS,
        };
      }
      return {
        // Only a change holds payouts.
        subject: `Your payout details were ${heldUntil === undefined ? 'set' : 'changed'}`,
        paragraphs: [
          `You are now to be paid at ${masked}.`,
          ...(heldUntil === undefined
            ? []
            : [`So that you can check this, nothing is paid to you before ${timeText(heldUntil)}.`]),
          'If this was not you, sign in and correct the details at once, and tell the programs that pay you.',
        ],
        action: { label: 'Check your payout details', url: `${site}/partner/payout-details` },
        reason: ABOUT_DETAILS,
      };
    }
    case 'details_downloaded': {
      const { programName } = mail.data;
      return {
        subject: `${programName} has downloaded your payout details`,
        paragraphs: [
          `An owner of ${programName} has downloaded a file that holds where to pay you: your whole payout details. That is how partners are paid.`,
          'At most one such mail comes a day from each brand. If you do not want it to see them any more, leave its programs or delete your payout details.',
        ],
        action: { label: 'See your payout details', url: `${site}/partner/payout-details` },
        reason: 'You get this mail whenever somebody has read your payout details, whatever your settings.',
      };
    }
    case 'data_exported':
      return {
        subject: 'Your data was exported',
        paragraphs: [
          `On ${timeText(mail.data.at)} a file was downloaded with everything that is stored of you as a partner, from your account.`,
          'If this was not you, sign in and end the sessions that you do not know.',
        ],
        action: { label: 'See your settings', url: `${site}/partner/settings` },
        reason: 'You get this mail at an export of your data, whatever your settings.',
      };
    case 'terms_changed': {
      const { programId, programName } = mail.data;
      return {
        subject: `${programName} has new terms for partners`,
        paragraphs: [
          `${programName} has changed its terms for partners. Your links go on working.`,
          'Read and accept the new terms before you make further links.',
        ],
        action: { label: 'Read the terms', url: `${site}/partner/programs/${programId}/terms` },
        reason: asPartner(programName),
      };
    }
    case 'key_rotation_due': {
      const { programId, programName, deadline } = mail.data;
      return {
        subject: `The API key of ${programName} works until ${dayOf(new Date(deadline))}`,
        paragraphs: [
          `The API key of ${programName} has to be replaced. It works until ${timeText(deadline)}; from then on, no sale is recorded with it.`,
          'Create a new key in the settings, and set it as SERVICE_API_KEY on your server.',
        ],
        action: { label: 'Replace the key', url: `${site}/programs/${programId}/settings` },
        reason: AS_OWNER,
      };
    }
    case 'webhook_disabled': {
      const { programId, programName, url, reason } = mail.data;
      return {
        subject: `A webhook of ${programName} was switched off`,
        paragraphs: [
          `The webhook ${url} of ${programName} was switched off and gets no further events. ${reason}.`,
          'Repair it, then switch it on again. What has happened meanwhile can be sent again.',
        ],
        action: { label: 'See the webhook', url: `${site}/programs/${programId}/webhooks` },
        reason: AS_OWNER,
      };
    }
    case 'commissions_held': {
      const { programId, programName } = mail.data;
      return {
        subject: `Commissions of ${programName} wait for your review`,
        paragraphs: [
          `A rule of ${programName} has held a commission. It is in no payout until you release it; if you reject it, it is never paid.`,
          'At most one such mail comes a day, however many commissions are held.',
        ],
        action: { label: 'Review held commissions', url: `${site}/programs/${programId}/commissions?status=held` },
        reason: AS_OWNER,
      };
    }
    default:
      throw new Error('There are no mails of this kind');
  }
}

function decided(data: MailData['application_decided'], site: string): MailContent {
  const { programId, programName } = data;
  const reason = `You get this mail because you have applied to ${programName}.`;
  if (data.decision === 'accepted') {
    return {
      subject: `You are a partner of ${programName}`,
      paragraphs: [`${programName} has accepted your application. You can make your links now.`],
      action: { label: 'Make a link', url: `${site}/partner/programs/${programId}/links` },
      reason,
    };
  }
  return {
    subject: `Your application to ${programName}`,
    paragraphs: [
      `${programName} has not accepted your application. The reason:`,
      data.reason,
      'You can apply again after 30 days.',
    ],
    action: {
      label: 'See the program',
      url: `${site}/join/${programId}/${encodeURIComponent(slugOf(programName, programId))}`,
    },
    reason,
  };
}

/** `2026-11-20 15:00 UTC` */
const timeText = (time: string): string => `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
