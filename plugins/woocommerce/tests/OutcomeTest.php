<?php

declare(strict_types=1);

namespace FlorinWoo\Tests;

use Florin\Result\Payment;
use FlorinWoo\Outcome;
use FlorinWoo\TxRef;
use PHPUnit\Framework\TestCase;

final class OutcomeTest extends TestCase
{
    /** @param array<string, mixed> $more */
    private static function payment(string $status, string $txRef = 'woo-7-1', array $more = []): Payment
    {
        return Payment::from($more + ['status' => $status, 'tx_ref' => $txRef, 'amount_minor' => 1234, 'currency' => 'GBP']);
    }

    private static function of(Payment $payment, string $paid = '', string $current = 'woo-7-1'): string
    {
        return Outcome::of($payment, 1234, 'GBP', $paid, $current);
    }

    public function testASuccessPaysTheOrderOnce(): void
    {
        self::assertSame(Outcome::PAID, self::of(self::payment('success')));
        self::assertSame(Outcome::NOTHING, self::of(self::payment('success'), 'woo-7-1'));
    }

    public function testARefundedPaymentThatNobodyHeardOfWasPaidFirst(): void
    {
        self::assertSame(Outcome::PAID, self::of(self::payment('refunded')));
    }

    public function testASecondPaidAttemptIsReported(): void
    {
        self::assertSame(Outcome::PAID_TWICE, self::of(self::payment('success', 'woo-7-2'), 'woo-7-1', 'woo-7-2'));
    }

    public function testAnotherAmountOrCurrencyDoesNotPay(): void
    {
        self::assertSame(Outcome::WRONG_AMOUNT, self::of(self::payment('success', more: ['amount_minor' => 1])));
        self::assertSame(Outcome::WRONG_AMOUNT, self::of(self::payment('success', more: ['currency' => 'USD'])));
    }

    public function testMoneyForAnOrderThatTheShopSettledDoesNotPayIt(): void
    {
        self::assertSame(Outcome::SETTLED, Outcome::of(self::payment('success'), 1234, 'GBP', '', 'woo-7-1', false));
        self::assertSame(Outcome::PAID_TWICE, Outcome::of(self::payment('success', 'woo-7-2'), 1234, 'GBP', 'woo-7-1', 'woo-7-2', false));
        self::assertSame(Outcome::NOTHING, Outcome::of(self::payment('success'), 1234, 'GBP', 'woo-7-1', 'woo-7-1', false));
    }

    public function testMoneyIsLeftUnlessItWentBackOrIsOnItsWay(): void
    {
        $refunds = [
            ['status' => 'success', 'amount_minor' => 200],
            ['status' => 'submitted', 'amount_minor' => 30],
            ['status' => 'failed', 'amount_minor' => 1000],
        ];
        self::assertSame(1234, Outcome::left(self::payment('success')));
        self::assertSame(1004, Outcome::left(self::payment('success', more: ['refunds' => $refunds])));
        self::assertSame(0, Outcome::left(self::payment('reversed')));
    }

    public function testAFailureCountsForTheNewestAttemptOnly(): void
    {
        self::assertSame(Outcome::FAILED, self::of(self::payment('failed')));
        self::assertSame(Outcome::FAILED, self::of(self::payment('expired')));
        self::assertSame(Outcome::CANCELLED, self::of(self::payment('cancelled')));
        self::assertSame(Outcome::NOTHING, self::of(self::payment('cancelled'), '', 'woo-7-2'));
        self::assertSame(Outcome::NOTHING, self::of(self::payment('failed'), 'woo-7-1'));
    }

    public function testAPaymentLateForAnEarlierAttemptPays(): void
    {
        self::assertSame(Outcome::PAID, self::of(self::payment('success'), '', 'woo-7-2'));
    }

    public function testAStatusThatIsNewerThanThisPluginChangesNothing(): void
    {
        self::assertSame(Outcome::NOTHING, self::of(self::payment('teleported')));
    }

    public function testOnlyRefundsThatWentThroughAndAreNewAreAdded(): void
    {
        $refunds = [
            ['refund_ref' => 'a', 'status' => 'success'],
            ['refund_ref' => 'b', 'status' => 'requested'],
            ['refund_ref' => 'c', 'status' => 'success'],
        ];
        $new = Outcome::newRefunds(self::payment('success', more: ['refunds' => $refunds]), ['a']);
        self::assertSame(['c'], array_column($new, 'refund_ref'));
    }

    public function testATxRefLeadsToItsOrderAndNoOtherShops(): void
    {
        self::assertSame('woo-7-2', TxRef::of('woo', 7, 2));
        self::assertSame(7, TxRef::orderId('woo', 'woo-7-2'));
        foreach (['woox-7-2', 'woo-7', 'woo-7-2-1', "woo-7-2\n", 'order-1001', ''] as $other) {
            self::assertNull(TxRef::orderId('woo', $other));
        }
    }
}
