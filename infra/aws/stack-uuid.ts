import { Fn, type Stack } from 'aws-cdk-lib';

/** An id that is unique per creation of a stack, across all accounts and regions, which the stack's name is not. */
export const stackUuid = ({ stackId }: Stack): string => Fn.select(2, Fn.split('/', stackId));
