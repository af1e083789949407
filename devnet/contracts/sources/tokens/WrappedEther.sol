// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IWrappedEther} from "./IWrappedEther.sol";

/// @title Wrapped Ether
/// @notice One token for each unit of the native currency that this contract holds.
/// @dev Has no constructor and no immutables, so that it can be placed in a genesis state as it is.
contract WrappedEther is IWrappedEther {
    /// @notice `account` holds `balance`, less than the `needed` amount.
    error InsufficientBalance(address account, uint256 balance, uint256 needed);

    /// @notice `spender` may spend `allowance`, less than the `needed` amount.
    error InsufficientAllowance(address spender, uint256 allowance, uint256 needed);

    /// @notice The native currency could not be sent to `account`.
    error WithdrawalRefused(address account);

    string public constant name = "Wrapped Ether";
    string public constant symbol = "WETH";
    uint8 public constant decimals = 18;

    mapping(address account => uint256) public balanceOf;
    mapping(address owner => mapping(address spender => uint256)) public allowance;

    receive() external payable {
        deposit();
    }

    /// @inheritdoc IWrappedEther
    function deposit() public payable {
        balanceOf[msg.sender] += msg.value;
        emit Deposit(msg.sender, msg.value);
    }

    /// @inheritdoc IWrappedEther
    function withdraw(uint256 value) external {
        _debit(msg.sender, value);
        (bool sent,) = msg.sender.call{value: value}("");
        if (!sent) revert WithdrawalRefused(msg.sender);
        emit Withdrawal(msg.sender, value);
    }

    /// @notice All that is wrapped.
    function totalSupply() external view returns (uint256) {
        return address(this).balance;
    }

    /// @notice Lets `spender` move up to `value` of the caller's tokens. The largest value never runs out.
    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    /// @notice Moves `value` from the caller to `to`.
    function transfer(address to, uint256 value) external returns (bool) {
        return transferFrom(msg.sender, to, value);
    }

    /// @notice Moves `value` from `from` to `to`; anyone but `from` spends an allowance.
    function transferFrom(address from, address to, uint256 value) public returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        if (from != msg.sender && allowed != type(uint256).max) {
            if (allowed < value) revert InsufficientAllowance(msg.sender, allowed, value);
            allowance[from][msg.sender] = allowed - value;
        }
        _debit(from, value);
        balanceOf[to] += value;
        emit Transfer(from, to, value);
        return true;
    }

    function _debit(address from, uint256 value) private {
        uint256 balance = balanceOf[from];
        if (balance < value) revert InsufficientBalance(from, balance, value);
        unchecked {
            balanceOf[from] = balance - value;
        }
    }
}
