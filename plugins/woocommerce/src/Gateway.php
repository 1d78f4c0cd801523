<?php

declare(strict_types=1);

namespace FlorinWoo;

use Florin\Exception\ConflictException;
use Florin\Exception\FlorinException;
use Florin\Exception\InvalidRequestException;
use Florin\Exception\NotFoundException;
use RuntimeException;
use WC_Payment_Gateway;
use WP_Error;

/** Florin among the payment methods: its settings, the way to the checkout, and refunds. */
final class Gateway extends WC_Payment_Gateway
{
    public const ID = 'florin';
    private const ATTEMPTS_AT_ONCE = 5;

    public function __construct()
    {
        $this->id = self::ID;
        $this->method_title = 'Florin';
        $this->method_description = __('Customers pay on the page of your own Florin and come back.', 'florin-payments');
        $this->supports = ['products', 'refunds'];
        $this->has_fields = false;
        $this->init_form_fields();
        $this->init_settings();
        $this->title = (string) $this->get_option('title');
        $this->description = (string) $this->get_option('description');
        add_action("woocommerce_update_options_payment_gateways_$this->id", [$this, 'process_admin_options']);
    }

    public function init_form_fields(): void
    {
        $this->form_fields = Form::fields();
    }

    public function admin_options(): void
    {
        parent::admin_options();
        Form::buttons();
    }

    public function is_available(): bool
    {
        return parent::is_available() && Settings::baseUrl() !== '' && Settings::key() !== '';
    }

    public function get_transaction_url($order): string
    {
        $mode = (new OrderState($order))->mode();
        $merchant = Settings::endpoint($mode)['merchant'] ?? '';
        $this->view_transaction_url = $merchant === '' ? '' : Settings::baseUrl() . '/dashboard/' . str_pad($merchant, 8, '0', STR_PAD_LEFT) . "/$mode/payments?search=%s";

        return parent::get_transaction_url($order);
    }

    /** @return array<string, string> */
    public function process_payment($order_id): array
    {
        try {
            $url = Lock::order((int) $order_id, fn ($order): string => $this->checkoutUrl(new OrderState($order)));

            return ['result' => 'success', 'redirect' => $url];
        } catch (FlorinException | RuntimeException $error) {
            Settings::log("Order $order_id could not be sent to Florin: {$error->getMessage()}");
            wc_add_notice(__('The payment page can’t be reached at the moment. Please try again.', 'florin-payments'), 'error');

            return ['result' => 'failure'];
        }
    }

    /** Where this customer pays this order: the open payment if there is one, else a new one. */
    private function checkoutUrl(OrderState $state): string
    {
        $order = $state->order;
        $http = new Http(Settings::mode());
        if ($state->txRef() !== '' && $state->mode() === Settings::mode()) {
            try {
                $payment = $http->payment($state->txRef());
                if (!$state->isFor($payment)) {
                    throw new NotFoundException('Of a copy of this shop');
                }
                Sync::apply($state, $payment);
                if ($order->is_paid()) {
                    return $order->get_checkout_order_received_url();
                }
                if ($payment->status === 'pending' && $payment->checkoutUrl !== null) {
                    if ($payment->amountMinor === $state->totalMinor() && $payment->currency === $order->get_currency()) {
                        return Request::inLanguage($payment->checkoutUrl);
                    }
                    // The cart has changed since.
                    $http->call('POST', '/api/transaction/' . rawurlencode($payment->txRef) . '/cancel');
                }
            } catch (NotFoundException) {
                // The attempt never reached Florin.
            }
        }
        for ($tried = 1; ; ++$tried) {
            $txRef = $state->nextAttempt();
            try {
                return Request::inLanguage(self::create($http, Request::of($order, $txRef)));
            } catch (ConflictException $error) {
                // Used before, as after a restored backup: the next one is free.
                if ($error->errorCode !== 'tx_ref_taken' || $tried >= self::ATTEMPTS_AT_ONCE) {
                    throw $error;
                }
            }
        }
    }

    /** @param array<string, mixed> $request */
    private static function create(Http $http, array $request): string
    {
        try {
            $made = $http->call('POST', '/api/payment', $request, ['Idempotency-Key' => $request['tx_ref']], true);
        } catch (InvalidRequestException $error) {
            if (!isset($request['items']) || array_keys($error->errors) !== ['items']) {
                throw $error;
            }
            // The lines are for the customer to read: a name that Florin refuses must not cost the sale.
            Settings::log("Sent without its lines: {$error->getMessage()}");
            unset($request['items']);
            $made = $http->call('POST', '/api/payment', $request, ['Idempotency-Key' => "{$request['tx_ref']}-plain"], true);
        }

        return (string) $made['checkout_url'];
    }

    /** @return true|WP_Error */
    public function process_refund($order_id, $amount = null, $reason = '')
    {
        try {
            return Lock::order((int) $order_id, static fn ($order) => Refunding::send(new OrderState($order), (string) $amount, (string) $reason));
        } catch (FlorinException | RuntimeException $error) {
            Settings::log("Order $order_id was not refunded: {$error->getMessage()}");

            return new WP_Error('florin_refund', $error->getMessage());
        }
    }
}
