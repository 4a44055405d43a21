import { dayOf } from '#lib/service/ground/values/day.ts';
import { digestAction, digestSubject, digestText } from '#lib/service/outbox/digests/digest-text.ts';
import type { Mail, MailData } from '#lib/service/people/mail/mail.ts';
import { moneyText } from '#lib/service/ground/values/money.ts';
import { slugOf } from '#lib/service/programs/program/program.ts';

/** The content of an e-mail, before it is rendered as text and HTML. All of it may contain user input. */
export interface MailContent {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** The button of the e-mail: a link to a page of the dashboard or portal. */
  readonly action: { readonly label: string; readonly url: string };
  /** Why the recipient gets this e-mail. */
  readonly reason: string;
}

const asPartner = (programName: string): string =>
  `You get this mail because this address is that of a partner of ${programName}.`;
const OF_ACCOUNT = 'You get this mail because your account was signed in to, whatever your settings.';
const NOT_YOU = 'If it was not you, end it at once, and change the password with which you sign in.';
const seeDevices = (site: string, isMember = false) => ({
  label: 'See where you are signed in',
  url: `${site}${isMember ? '/members' : '/partner/settings'}`,
});
const ABOUT_DETAILS = 'You get this mail at every change of your payout details, whatever your settings.';
const AS_OWNER = 'You get this mail because you are an owner of the workspace.';

/** What the texts of e-mails need, besides the data of the e-mail. */
export interface Surroundings {
  /** Base URL of the pages, without a slash at its end. */
  readonly site: string;
  /** The name of this installation. */
  readonly productName: string;
  /** What a program offers to an invited partner, in words. */
  readonly offer?: string;
}

/** The content of an e-mail of any kind. */
export function contentOf(mail: Mail, { site, productName, offer }: Surroundings): MailContent {
  switch (mail.kind) {
    case 'partner_invited': {
      const { programId, programName } = mail.data;
      return {
        subject: `Become a partner of ${programName}`,
        paragraphs: [
          `${programName} invites you to become a partner: you get links of your own and earn from the sales that come through them.`,
          ...(offer === undefined ? [] : [`You earn ${offer}`]),
          `Sign in with ${mail.to.email} and accept within 30 days.`,
        ],
        action: { label: 'See the invitation', url: `${site}/partner/programs/${programId}` },
        reason: `You get this mail because ${programName} has invited this address.`,
      };
    }
    case 'application_decided':
      return decided(mail.data, site);
    case 'payout_made': {
      const { programId, programName, payoutId, amounts } = mail.data;
      const sums = amounts.map(({ amountCents, currency }) => moneyText(amountCents, currency)).join(' and ');
      return {
        subject: `${programName} pays you ${sums}`,
        paragraphs: [
          `${programName} has recorded a payout of ${sums} to you, and sends the money itself. Check your payout details if you have not set them yet.`,
          'When the money arrives depends on how you are paid.',
        ],
        action: { label: 'See what it is for', url: `${site}/partner/programs/${programId}/payouts/${payoutId}` },
        reason: asPartner(programName),
      };
    }
    case 'payout_returned': {
      const { programId, programName, payoutId, amount, reason } = mail.data;
      const sum = moneyText(amount.amountCents, amount.currency);
      return {
        subject: `${sum} from ${programName} did not reach you`,
        paragraphs: [
          `A payment of ${sum} from ${programName} to you failed, or was not sent. The reason:`,
          reason,
          'The money is due to you again, and the next payout of the program contains it. Check your payout details.',
        ],
        action: { label: 'See the payout', url: `${site}/partner/programs/${programId}/payouts/${payoutId}` },
        reason: asPartner(programName),
      };
    }
    case 'payout_details_changed': {
      const { masked, areFirst, heldUntil } = mail.data;
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
        subject: `Your payout details were ${areFirst || heldUntil === undefined ? 'set' : 'changed'}`,
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
    case 'partner_address_changed': {
      const { programName, heldUntil } = mail.data;
      return {
        subject: 'Your address as a partner was changed',
        paragraphs: [
          `${programName} has replaced your address by another one, in all of its programs.`,
          `So that you can check this, nothing is paid to you there before ${timeText(heldUntil)}.`,
          'If you did not ask for it, write to the program at once: whoever has the new address may become you.',
        ],
        action: { label: 'See your programs', url: `${site}/partner` },
        reason: `You get this mail because this address was that of a partner of ${programName}, whatever your settings.`,
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
    case 'account_closed':
      return {
        subject: 'Your account was closed',
        paragraphs: [
          `On ${timeText(mail.data.at)} your account was closed: your partnerships have ended, and your address, payout details and sign-ins are deleted. What you had earned stays in the books of the programs.`,
          'If this was not you, write to the programs that pay you at once, and change the password with which you sign in. Nobody can bring the account back; whoever signs in with this address begins anew.',
        ],
        action: { label: 'See the sign-in page', url: `${site}/partner` },
        reason: 'You get this mail when your account is closed, whatever your settings.',
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
    case 'commission_terms_changed': {
      const { programId, programName, before, after } = mail.data;
      return {
        subject: `${programName} has changed what you earn`,
        paragraphs: [
          `${programName} has changed its terms for your sales from now on. Commissions that you already have stay as they are.`,
          `Until now: ${before}`,
          `From now on: ${after}`,
        ],
        action: { label: 'See the program', url: `${site}/partner/programs/${programId}` },
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
    case 'owner_digest': {
      const { day, programs, otherPrograms } = mail.data;
      return {
        subject: digestSubject(programs),
        paragraphs: [
          `This came on ${day}, in UTC. Some of it you may have decided since.`,
          ...programs.map(digestText),
          ...(otherPrograms > 0 ? [`Something waits in ${otherPrograms} more of your programs, too.`] : []),
        ],
        action: digestAction(programs, site),
        reason: `${AS_OWNER} It comes at most once a day.`,
      };
    }
    case 'signed_in': {
      const { at, browser = 'a browser that we do not know' } = mail.data;
      return {
        subject: 'A new sign-in to your account',
        paragraphs: [
          `Your account was signed in to from ${browser}, which it has not used before, at ${timeText(at)}, ${whereText(mail.data)}.`,
          `If this was you, there is nothing to do. ${NOT_YOU}`,
        ],
        action: seeDevices(site, mail.data.isMember),
        reason: OF_ACCOUNT,
      };
    }
    case 'terminal_signed_in':
      return {
        subject: 'A terminal was signed in to your account',
        paragraphs: [
          `A terminal was signed in to your account with the command line at ${timeText(mail.data.at)}, ${whereText(mail.data)}. It can read what you can read, create programs and send test events, for 90 days.`,
          `If you have confirmed this yourself, there is nothing to do. ${NOT_YOU}`,
        ],
        action: seeDevices(site, mail.data.isMember),
        reason: OF_ACCOUNT,
      };
    case 'payout_due': {
      const { programId, programName, day, areFrozen } = mail.data;
      return {
        subject: `${programName}: payout day ${day}`,
        paragraphs: [
          `${day} is a payout day of ${programName}, and partners have money to come. Look at the payout, record it, and send the money. Nothing is recorded or sent by itself.`,
          ...(areFrozen
            ? ['The payouts of your workspace are frozen, so none can be recorded until they are thawed.']
            : []),
        ],
        action: { label: 'See the payout', url: `${site}/programs/${programId}/payouts/new` },
        reason: `${AS_OWNER} The payout days are in the settings of the program.`,
      };
    }
    case 'sale_id_in_use': {
      const { programId, programName } = mail.data;
      return {
        subject: `A sale of ${programName} was not recorded`,
        paragraphs: [
          `Your server sent a sale of ${programName} under a transaction id that a sale of another program, or a test sale, has. Ids are unique over all programs, and over test and real sales, so yours was not recorded.`,
          'On the page of these payments you can record it with one click. So that it does not happen again, let your server put a prefix of its own before each id.',
          'At most one such mail comes a day, however many sales there are.',
        ],
        action: { label: 'Record the sale', url: `${site}/programs/${programId}/payments` },
        reason: AS_OWNER,
      };
    }
    case 'member_invited': {
      const { workspaceName, inviterName } = mail.data;
      return {
        subject: `Join ${workspaceName} on ${productName}`,
        paragraphs: [
          inviterName === undefined
            ? `You are invited to the workspace ${workspaceName} on ${productName}.`
            : `${inviterName} invites you to the workspace ${workspaceName} on ${productName}.`,
          `In it you see and manage the programs of ${workspaceName} together with its other members.`,
          `Sign in with ${mail.to.email} to accept or decline.`,
        ],
        action: { label: 'See the invitation', url: site },
        reason: `You get this mail because ${workspaceName} has invited this address.`,
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
  const slug = encodeURIComponent(slugOf(programName, programId));
  return {
    subject: `Your application to ${programName}`,
    paragraphs: [
      `${programName} has not accepted your application. The reason:`,
      data.reason,
      'You can apply again after 30 days.',
    ],
    action: { label: 'See the program', url: `${site}/join/${programId}/${slug}` },
    reason,
  };
}

/** The location and address of a sign-in, as far as they are known. */
function whereText({ address, place }: { readonly address?: string; readonly place?: string }): string {
  const network = address === undefined ? 'from a network that we do not know' : `from the network ${address}`;
  return place === undefined ? network : `${network} (${place})`;
}

/** A time in words, such as `2026-11-20 15:00 UTC`. */
const timeText = (time: string): string => `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
